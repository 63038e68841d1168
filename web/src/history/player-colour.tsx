// The colour of a player, for their row on scoreboards and phones and their turn on a ring of lights.
import { t } from "../text";

/** The colours that a ring of lights tells apart, as `daemon/show/ring.py` has them. */
const COLOURS = {
  blue: "#0060ff",
  orange: "#ff8000",
  violet: "#c000ff",
  teal: "#00c0a0",
  pink: "#ff4080",
  lime: "#a0c000",
  indigo: "#6040ff",
  brown: "#c06000",
} as const;

const NAMES = Object.keys(COLOURS) as (keyof typeof COLOURS)[];

interface Props {
  chosen: string | undefined;
  /** Nothing takes the colour away. */
  onChoose: (colour?: string) => void;
}

export function ColourChoice({ chosen, onChoose }: Props) {
  return (
    <div>
      <dt id="colour">{t("past.colour")}</dt>
      <dd>
        <ul class="colours" aria-labelledby="colour">
          {NAMES.map((name) => (
            <li key={name}>
              <button
                class="colour"
                style={{ "--own": COLOURS[name] }}
                aria-label={t(`past.colour.${name}`)}
                title={t(`past.colour.${name}`)}
                aria-pressed={chosen === COLOURS[name]}
                onClick={() => onChoose(COLOURS[name])}
              />
            </li>
          ))}
          <li>
            <button aria-pressed={chosen === undefined} onClick={() => onChoose()}>
              {t("past.colour.none")}
            </button>
          </li>
        </ul>
      </dd>
    </div>
  );
}
