// The rounds of a knock-out, side by side.
import { Side } from "./name";
import type { Round } from "./rounds";
import type { Fixture, Tournament } from "./state";
import { titleOf } from "./titles";

/** So few matches in a round that their names can be larger. */
const ROOMY = 4;

/** Whether two matches each of this round lead to one of the next, so that lines join them. */
function joins(rounds: Round[], i: number): boolean {
  const [round, next] = [rounds[i], rounds[i + 1]];
  return round?.columns === 1 && next !== undefined && round.fixtures.length === 2 * next.fixtures.length;
}

export function Bracket({ tournament, rounds }: { tournament: Tournament; rounds: Round[] }) {
  const columns = rounds.reduce((sum, round) => sum + round.columns, 0);
  const most = Math.max(...rounds.map((round) => round.fixtures.length));
  return (
    <section class={`cup-bracket ${most <= ROOMY ? "roomy" : ""}`} style={{ "--columns": columns }}>
      {rounds.map(({ fixtures, columns, rows }, i) => (
        <section
          key={fixtures[0]?.id}
          class={[columns > 1 && "broad", joins(rounds, i) && "joins", joins(rounds, i - 1) && "joined"]
            .filter(Boolean)
            .join(" ")}
          style={{ "--columns": columns, "--rows": rows, "--matches": fixtures.length }}
        >
          <h2>{titleOf(fixtures[0] as Fixture)}</h2>
          <ol>
            {fixtures.map((fixture) => (
              <li
                key={fixture.id}
                class={fixture.board === undefined ? fixture.state : `${fixture.state} on-board`}
                aria-current={fixture.board === undefined ? undefined : "true"}
              >
                {(["home", "away"] as const).map((side, index) => (
                  <p key={side}>
                    <Side tournament={tournament} fixture={fixture} side={side} />
                    <b>{fixture.score?.[index] ?? ""}</b>
                  </p>
                ))}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
}
