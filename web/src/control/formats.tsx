// The format of a match: how many legs, who starts, and which games follow the chosen one in a medley.
import { useState } from "preact/hooks";
import { t } from "../text";
import { type GameAbout, titleOf } from "./catalogue";
import { CHOICE, type Further, hasOwnLegs } from "./in-format";
import { OptionField } from "./option";

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
  // The rules refuse them together with legs or sets of the game's own.
  const offered = further.length > 0 || !hasOwnLegs(given) ? (chosen.formats ?? []) : [];
  const fields = offered.filter(({ name }) => name === "order" || (bull && name !== "best_of"));
  return (
    <details class="options formats" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("format.title")}</summary>
      {/* The names of all games are in it, which nobody needs to read before it is open. */}
      {open && (
        <>
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
                class="quiet bare"
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
