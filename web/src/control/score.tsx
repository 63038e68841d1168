// The small scores at the top of the control page.
import { Colours } from "../games/colours";
import { isActive, SideName, sidesOf } from "../games/players";
import type { Match } from "../match";
import { usePeople } from "../sound/people";
import { points, t } from "../text";

/** The maximum that fits side by side. */
const COLUMNS = 4;

export function Score({ match, me }: { match: Match; me: string | undefined }) {
  const sides = sidesOf(match.players);
  const people = usePeople(
    match.players.map(({ name }) => name),
    match.match,
  );
  const rows = Math.ceil(sides.length / COLUMNS);
  return (
    <Colours.Provider value={people}>
      <ol class="mini" style={{ "--columns": Math.ceil(sides.length / rows) }}>
        {sides.map((side) => {
          const [player] = side;
          const active = isActive(match, side);
          const won = match.winners.includes(player.name);
          return (
            <li
              key={player.name}
              class={won ? "won" : active ? "active" : ""}
              aria-current={active ? "true" : undefined}
            >
              <span class="name">
                <SideName match={match} side={side} />
                {side.some(({ name }) => name === me) && <small class="me"> {t("rights.me")}</small>}
              </span>
              <output aria-label={t("score")}>{points(player.score)}</output>
            </li>
          );
        })}
      </ol>
    </Colours.Provider>
  );
}
