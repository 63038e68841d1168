// Cricket: a table of marks, with numbers as rows and players as columns.
import type { Match, Player } from "../match";
import { dartName, decimal, t } from "../text";
import { Head, isActive, Players, SideName, sidesOf } from "./players";
import type { Scoreboard } from "./scoreboard";
import { Marks } from "./words/pictures";

type Target = number | "bull";

interface CricketPlayer extends Player {
  marks: Record<string, number>;
  mpr: number;
}

interface Cricket extends Match {
  players: CricketPlayer[];
  numbers: Target[];
}

const CLOSED = 3;

/** The maximum number of players that fit side by side. */
const COLUMNS = 6;

export const cricket: Scoreboard<Cricket> = {
  // A number that all players have closed is dead and goes dark.
  lit(match) {
    return { targets: match.numbers.filter((n) => match.players.some((p) => (p.marks[n] ?? 0) < CLOSED)) };
  },

  Panel({ match }) {
    return (
      <>
        <Head title={t("game.cricket")} match={match} />
        {sidesOf(match.players).length > COLUMNS ? (
          <Players
            match={match}
            players={match.players}
            tallies
            between={({ marks }) =>
              match.numbers.map((target) => (
                <span class="tally" key={target}>
                  <small>{target === "bull" ? "B" : target}</small>
                  <Marks count={marks[target] ?? 0} />
                </span>
              ))
            }
          />
        ) : (
          <Chalkboard match={match} />
        )}
      </>
    );
  },
};

function Chalkboard({ match }: { match: Cricket }) {
  const { players, winners, numbers } = match;
  const sides = sidesOf(players);
  return (
    <table class="cricket" style={{ "--rows": numbers.length, "--players": sides.length }}>
      <thead>
        <tr>
          <td />
          {sides.map((side) => (
            <th key={side[0].name} scope="col" class={heading(match, side)}>
              <span class="name">
                <SideName match={match} side={side} />
              </span>
              <output class="score">{side[0].score}</output>
              <small>
                {winners.includes(side[0].name) ? t("winner") : `${t("cricket.mpr")} ${decimal(side[0].mpr, 2)}`}
              </small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.map((target) => {
          const dead = players.every((player) => (player.marks[target] ?? 0) >= CLOSED);
          return (
            <tr key={target} class={dead ? "dead" : ""}>
              <th scope="row">{target === "bull" ? dartName("DB") : target}</th>
              {sides.map((side) => (
                <td key={side[0].name} class={isActive(match, side) ? "active" : ""}>
                  <Marks count={side[0].marks[target] ?? 0} />
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A name that gets two lines of narrow letters. */
const LONG = 12;

function heading(match: Cricket, side: [CricketPlayer, ...CricketPlayer[]]): string {
  const won = match.winners.includes(side[0].name);
  const kind = won ? "won" : isActive(match, side) ? "active" : "";
  return side.length === 1 && side[0].name.length > LONG ? `${kind} long` : kind;
}
