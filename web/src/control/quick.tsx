// What is chosen most often, by one touch: the start of X01, and how many legs.
import { t } from "../text";
import type { GameAbout } from "./catalogue";
import { hasOwnLegs } from "./in-format";

const STARTS = [301, 501, 701];
const BEST_OF = [1, 3, 5, 7];

interface Props {
  game: GameAbout;
  given: Record<string, unknown>;
  /** Whether games follow in a medley, which is not played as best of several legs. */
  medley: boolean;
  onChange: (name: string, value: unknown) => void;
}

export function Quick({ game, given, medley, onChange }: Props) {
  const has = (name: string) => game.options.some((option) => option.name === name);
  const start = game.options.find((option) => option.name === "start" && option.schema.type === "integer");
  // X01 has legs of its own: best of five is won with three.
  const own = has("legs") && has("sets");
  const format = game.formats?.some(({ name }) => name === "best_of");
  const legs = own && hasOwnLegs(given) ? 2 * Number(given["legs"] ?? 1) - 1 : Number(given["best_of"] ?? 1);
  const choose = (n: number) => {
    if (own) onChange("legs", n === 1 ? undefined : (n + 1) / 2);
    else onChange("best_of", n === 1 ? undefined : n);
  };
  return (
    <div class="quick">
      {game.name === "x01" && start && (
        <Choice
          title={t("start.quick.points")}
          values={STARTS}
          chosen={Number(given["start"] ?? start.default)}
          onChoose={(n) => onChange("start", n === start.default ? undefined : n)}
        />
      )}
      {(own || format) && !medley && (
        <Choice title={t("format.best_of")} values={BEST_OF} chosen={legs} onChoose={choose} />
      )}
    </div>
  );
}

interface ChoiceProps {
  title: string;
  values: number[];
  chosen: number;
  onChoose: (value: number) => void;
}

function Choice({ title, values, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="row">
        {values.map((value) => (
          <button type="button" key={value} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
            {value}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
