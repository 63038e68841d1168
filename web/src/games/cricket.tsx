// Cricket: a table of marks, with numbers as rows and players as columns.
import type { Match, Player } from "../match";
import { dartName, decimal, t } from "../text";
import { Head, isActive, Players, SideName, sidesOf } from "./players";
import type { Scoreboard } from "./scoreboard";
import { hasThrower, Thrower, Value, Visits, Won } from "./thrower";
import { Marks } from "./words/pictures";

type Target = number | "bull";

interface CricketPlayer extends Player {
  marks: Record<string, number>;
  mpr: number;
  visits: number[];
  darts: number;
}

interface Cricket extends Match {
  players: CricketPlayer[];
  numbers: Target[];
  mode: string;
  rounds?: number;
}

const CLOSED = 3;

/** The maximum number of players that fit side by side. */
const COLUMNS = 6;

export const cricket: Scoreboard<Cricket> = {
  // A number that all players have closed is dead and goes dark.
  lit(match) {
    return { targets: match.numbers.filter((n) => match.players.some((p) => (p.marks[n] ?? 0) < CLOSED)) };
  },

  heading,

  scoresAlone: true,

  Panel({ match }) {
    return (
      <>
        <Head
          title={heading(match)}
          match={match}
          extra={match.to_win ? t("x01.leg", { n: match.leg ?? 1 }) : undefined}
        />
        {hasThrower(match) && (
          <Thrower
            match={match}
            players={match.players}
            figures={(player) => (
              <>
                <Won match={match} player={player} />
                <Value label={t("cricket.mpr")} value={decimal(player.mpr, 2)} />
                <Value label={t("cricket.last")} value={String(player.visits.at(-1) ?? "–")} />
                {!match.to_win && <Value label={t("x01.darts")} value={String(player.darts)} />}
                <Visits label={t("cricket.marks.rounds")} visits={player.visits} />
              </>
            )}
          />
        )}
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

/** "Cricket · cut-throat · 20 rounds". */
function heading({ mode, rounds }: Cricket): string {
  const kind = mode === "cut-throat" || mode === "no-score" ? [t(`cricket.mode.${mode}`)] : [];
  return [t("game.cricket"), ...kind, ...(rounds ? [t("cricket.rounds", { n: rounds })] : [])].join(" · ");
}

function Chalkboard({ match }: { match: Cricket }) {
  const { players, winners, numbers } = match;
  const sides = sidesOf(players);
  const digits = Math.max(3, ...sides.map(([{ score }]) => String(score).length));
  return (
    <table class="cricket" style={{ "--rows": numbers.length, "--players": sides.length, "--digits": digits }}>
      <thead>
        <tr>
          <td />
          {sides.map((side) => (
            <th key={side[0].name} scope="col" class={columnClass(match, side)}>
              <div class="column-head">
                <span class="name">
                  <SideName match={match} side={side} />
                </span>
                <output class="score">{side[0].score}</output>
                {winners.includes(side[0].name) ? (
                  <small>{t("winner")}</small>
                ) : (
                  <span class="small-figures">
                    <Value label={t("cricket.mpr")} value={decimal(side[0].mpr, 2)} short={sides.length >= FEW} />
                    {sides.length < FEW && (
                      <>
                        <Value label={t("cricket.last")} value={String(side[0].visits.at(-1) ?? "–")} />
                        {!match.to_win && <Value label={t("x01.darts")} value={String(side[0].darts)} />}
                        <Won match={match} player={side[0]} />
                      </>
                    )}
                  </span>
                )}
              </div>
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

/** With fewer sides, each has all figures above its marks. */
const FEW = 3;

/** A name with more letters gets two lines of narrow ones. */
const LONG = 12;

function columnClass(match: Cricket, side: [CricketPlayer, ...CricketPlayer[]]): string {
  const won = match.winners.includes(side[0].name);
  const kind = won ? "won" : isActive(match, side) ? "active" : "";
  return side.length === 1 && side[0].name.length > LONG ? `${kind} long` : kind;
}
