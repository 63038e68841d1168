// The format of a match: how many legs, who starts, and which games follow the chosen one in a medley.
import { useState } from "preact/hooks";
import { t } from "../text";
import { type GameAbout, titleOf } from "./catalogue";
import { OptionField } from "./option";
import type { StartCommand } from "../result/rematch";

/** A leg of a medley after the first one: the name of a game, or `choice`. */
export type Further = string[];

const CHOICE = "choice";
const LEGS = [3, 5, 7];

/** Options of every match, which a leg of a medley does not have. */
const OF_MATCH = new Set(["manual_chance", "auto_next", "house", "low_ton_from", "high_ton_to"]);

interface Props {
  games: GameAbout[];
  chosen: GameAbout;
  players: string[];
  given: Record<string, unknown>;
  further: Further;
  onChange: (name: string, value: unknown) => void;
  onFurther: (further: Further) => void;
}

export function Formats({ games, chosen, players, given, further, onChange, onFurther }: Props) {
  const [open, setOpen] = useState(false);
  const bull = given.order === "bull";
  const fields = (chosen.formats ?? []).filter(({ name }) => name === "order" || (bull && name !== "best_of"));
  // X01 has legs and sets of its own.
  const legs = further.length === 0 && !chosen.options.some(({ name }) => name === "legs");
  return (
    <details class="options formats" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("format.title")}</summary>
      {/* The names of all games are in it, which nobody needs to read before it is open. */}
      {open && (
        <>
          {legs && chosen.formats && (
            <div class="option">
              <label>
                <span>{t("format.best_of")}</span>
                <select
                  value={typeof given.best_of === "number" ? String(given.best_of) : ""}
                  onChange={({ currentTarget: { value } }) => onChange("best_of", value ? Number(value) : undefined)}
                >
                  <option value="">{t("format.single")}</option>
                  {LEGS.map((n) => (
                    <option key={n} value={n}>
                      {t("format.legs", { n })}
                    </option>
                  ))}
                </select>
              </label>
            </div>
          )}
          {fields.map((option) => (
            <OptionField
              key={option.name}
              option={option}
              game={chosen.name}
              players={players}
              value={given[option.name]}
              onChange={(value) => onChange(option.name, value)}
            />
          ))}
          <Medley games={games} chosen={chosen} further={further} onFurther={onFurther} />
        </>
      )}
    </details>
  );
}

function Medley({ games, chosen, further, onFurther }: Pick<Props, "games" | "chosen" | "further" | "onFurther">) {
  const [next, setNext] = useState(CHOICE);
  const named = (name: string) => {
    const game = games.find((each) => each.name === name);
    return game ? titleOf(game) : t("format.choice");
  };
  return (
    <div class="option medley">
      {further.length > 0 && (
        <ol>
          <li>{titleOf(chosen)}</li>
          {further.map((name, at) => (
            <li key={`${at}-${name}`}>
              <span>{named(name)}</span>
              <button
                type="button"
                class="quiet"
                aria-label={t("start.remove", { name: named(name) })}
                onClick={() => onFurther(further.filter((_, other) => other !== at))}
              >
                ×
              </button>
            </li>
          ))}
        </ol>
      )}
      <label>
        <span>{t("format.then")}</span>
        <select value={next} onChange={({ currentTarget: { value } }) => setNext(value)}>
          <option value={CHOICE}>{t("format.choice")}</option>
          {games.map((game) => (
            <option key={game.name} value={game.name}>
              {titleOf(game)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="wide" onClick={() => onFurther([...further, next])}>
        {t("format.add")}
      </button>
    </div>
  );
}

/** The command of a match, as a medley if games follow the chosen one. */
export function inFormat(start: StartCommand, further: Further): StartCommand {
  if (further.length === 0) return start;
  const { order, compare, again, decides, best_of: _, ...own } = start.options;
  const about = Object.entries({ order, compare, again, decides }).filter(([, value]) => value !== undefined);
  const all = Object.entries(own);
  const first = { game: start.game, options: Object.fromEntries(all.filter(([name]) => !OF_MATCH.has(name))) };
  const legs = [first, ...further.map((game) => (game === CHOICE ? CHOICE : { game }))];
  const ofMatch = all.filter(([name]) => OF_MATCH.has(name));
  return { ...start, game: "medley", options: { legs, ...Object.fromEntries([...about, ...ofMatch]) } };
}
