// The rounds of a knock-out, side by side.
import { Side } from "./name";
import type { Round } from "./rounds";
import type { Fixture, Tournament } from "./state";
import { titleOf } from "./titles";

export function Bracket({ tournament, rounds }: { tournament: Tournament; rounds: Round[] }) {
  const columns = rounds.reduce((sum, round) => sum + round.columns, 0);
  return (
    <section class="cup-bracket" style={{ "--columns": columns }}>
      {rounds.map(({ fixtures, columns }) => (
        <section key={fixtures[0]?.id} class={columns > 1 ? "broad" : ""} style={{ "--columns": columns }}>
          <h2>{titleOf(fixtures[0] as Fixture)}</h2>
          <ol>
            {fixtures.map((fixture) => (
              <li key={fixture.id} class={fixture.state}>
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
