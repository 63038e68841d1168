// Cricket: a table of marks, numbers down, players across, as it is chalked.
import type { Match, Player } from "../match";
import { dartName, decimal, t } from "../text";
import { Head, PlayerName, Players } from "./players";
import type { Scoreboard } from "./scoreboard";

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

/** More players than so many do not fit side by side. */
const COLUMNS = 6;

export const cricket: Scoreboard<Cricket> = {
  // A number that everybody has closed is dead and goes dark.
  lit(match) {
    return { targets: match.numbers.filter((n) => match.players.some((p) => (p.marks[n] ?? 0) < CLOSED)) };
  },

  Panel({ match }) {
    return (
      <>
        <Head title={t("game.cricket")} match={match} />
        {match.players.length > COLUMNS ? (
          <Players
            match={match}
            players={match.players}
            twoLines
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
  const { players, turn, winners, numbers } = match;
  return (
    <table class="cricket" style={{ "--rows": numbers.length, "--players": players.length }}>
      <thead>
        <tr>
          <td />
          {players.map((player) => (
            <th key={player.name} scope="col" class={heading(match, player.name)}>
              <span class="name">
                <PlayerName match={match} player={player} />
              </span>
              <output class="score">{player.score}</output>
              <small>
                {winners.includes(player.name) ? t("winner") : `${t("cricket.mpr")} ${decimal(player.mpr, 2)}`}
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
              {players.map((player) => (
                <td key={player.name} class={!match.finished && player.name === turn.player ? "active" : ""}>
                  <Marks count={player.marks[target] ?? 0} />
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function heading(match: Cricket, name: string): string {
  if (match.winners.includes(name)) return "won";
  return !match.finished && name === match.turn.player ? "active" : "";
}

/** One stroke, a cross, a cross in a circle. */
function Marks({ count }: { count: number }) {
  return (
    <svg
      class={`marks marks-${count}`}
      viewBox="-12 -12 24 24"
      role="img"
      aria-label={t("cricket.marks", { n: count })}
    >
      {count >= 1 && <path d="M-6 6L6-6" />}
      {count >= 2 && <path d="M-6-6L6 6" />}
      {count >= CLOSED && <circle r="10" />}
    </svg>
  );
}
