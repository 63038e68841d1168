// The chance of each side to win, as a line along the bottom of the scoreboard.
import { useRef } from "preact/hooks";
import { sidesOf } from "../games/sides";
import type { Match } from "../match";
import { decimal, t } from "../text";

interface Part {
  names: string;
  chance: number;
}

/** The sides with their chances, in the order of play; empty without chances. The house has none of its own. */
export function parts(players: Match["players"], chance: Record<string, number> | undefined): Part[] {
  return sidesOf(players)
    .map((side) => ({ names: side.map(({ name }) => name).join(" & "), chance: chance?.[side[0].name] }))
    .filter((part): part is Part => part.chance !== undefined);
}

/** After a dart the chance is unknown for a moment: the line keeps the last one, dimmed, so that nothing flickers. */
export function ChanceLine({ match }: { match: Match }) {
  const last = useRef<{ match: string; chance: Record<string, number> }>(null);
  if (match.chance) last.current = { match: match.match, chance: match.chance };
  const known = last.current?.match === match.match ? last.current.chance : undefined;
  const shown = match.finished ? [] : parts(match.players, known);
  if (shown.length === 0) return null;
  const words = shown.map(({ names, chance }) => `${names} ${decimal(100 * chance, 0)} %`).join(", ");
  return (
    <div
      class={match.chance ? "chance-line" : "chance-line before"}
      role="img"
      aria-label={t("chance", { words })}
      title={t("chance", { words })}
    >
      {shown.map(({ names, chance }) => (
        <i key={names} style={{ flexGrow: chance }} class={names === active(match) ? "active" : undefined} />
      ))}
    </div>
  );
}

function active(match: Match): string | undefined {
  const side = sidesOf(match.players).find((each) => each.some(({ name }) => name === match.turn.player));
  return side?.map(({ name }) => name).join(" & ");
}
