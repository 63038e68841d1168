// The chance of each side to win, as a line along the bottom of the scoreboard: a part for each side with its name and its
// number where they fit.
import { useRef } from "preact/hooks";
import { sidesOf } from "../games/sides";
import type { Match } from "../match";
import { percent, t } from "../text";

export interface Part {
  names: string;
  chance: number;
}

/** How many characters fit into the whole line on a screen of this size: half of the size of the letters each, as
 * scoreboard.css has it. An estimate; nothing is measured. */
export function charactersOf(width: number, height: number): number {
  return width / (Math.max(12, 0.024 * Math.min(width, height)) / 2);
}

/** Whether the name fits beside the number in a line of this many characters. */
function hasRoomForName({ names, chance }: Part, characters: number): boolean {
  return names.length + percent(chance).length + 1 <= chance * characters;
}

/** With more sides than these nobody counts which part is whose. */
const COUNTED = 4;

/** What is written on a part: the number with the name if that fits, else alone where there are few sides. */
export function written(part: Part, sides: number, characters: number): { name: boolean; number: boolean } {
  const name = hasRoomForName(part, characters);
  return { name, number: name || sides <= COUNTED };
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
  const words = shown.map(({ names, chance }) => `${names} ${percent(chance)}`).join(", ");
  return (
    <div
      class={match.chance ? "chance-line" : "chance-line before"}
      role="img"
      aria-label={t("chance", { words })}
      title={t("chance", { words })}
    >
      {shown.map((part) => {
        const { name, number } = written(part, shown.length, charactersOf(innerWidth, innerHeight));
        return (
          <span
            key={part.names}
            style={{ flexGrow: part.chance }}
            class={part.names === active(match) ? "active" : undefined}
          >
            {name && `${part.names} `}
            {number && <b>{percent(part.chance)}</b>}
          </span>
        );
      })}
    </div>
  );
}

function active(match: Match): string | undefined {
  const side = sidesOf(match.players).find((each) => each.some(({ name }) => name === match.turn.player));
  return side?.map(({ name }) => name).join(" & ");
}
