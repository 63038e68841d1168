// The small scores at the top of the control page.
import { Colours } from "../games/colours";
import { isActive, SideName, sidesOf } from "../games/players";
import type { Match } from "../match";
import { usePeople } from "../sound/people";
import { points, t } from "../text";
import { scoreRows } from "./room";
import { WonLegs } from "./won-legs";

/** By the number of rows; beyond, they are tiny. */
const SIZES = ["large", "small"] as const;

export function Score({ match, me }: { match: Match; me: string | undefined }) {
  const sides = sidesOf(match.players);
  const people = usePeople(
    match.players.map(({ name }) => name),
    match.match,
  );
  const { rows, columns } = scoreRows(match);
  return (
    <Colours.Provider value={people}>
      <ol class={`mini ${SIZES[rows - 1] ?? "tiny"}`} data-columns={columns} style={{ "--columns": columns }}>
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
              <span class="has">
                <output aria-label={t("score")}>{points(player.score)}</output>
                <WonLegs match={match} player={player} />
              </span>
            </li>
          );
        })}
      </ol>
    </Colours.Provider>
  );
}
