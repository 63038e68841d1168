// X01 as on television: what is left, legs and sets as dots, the visits of the leg, and the averages.
import { gameTitle } from "../game-title";
import type { Match, Player, Turn } from "../match";
import { dartName, decimal, t } from "../text";
import { Head, Players, sidesOf } from "./players";
import type { Scoreboard } from "./scoreboard";
import { Began, hasThrower, Thrower, Value, Visits, Won, WonInShort } from "./thrower";

interface X01Player extends Player {
  average: number;
  first_nine: number;
  checkout_rate?: number;
  darts: number;
  leg_darts: number;
  visits: number[];
}

interface X01 extends Match {
  players: X01Player[];
  turn: Turn & { checkout?: string[]; scored: number; bust?: boolean };
  leg: number;
  starter: string;
}

export const x01: Scoreboard<X01> = {
  lit({ turn }) {
    const [now, ...later] = turn.checkout ?? [];
    return now === undefined ? {} : { targets: [now], hints: later };
  },

  points: true,

  turnPoints: ({ turn }) => (turn.bust ? t("flash.bust") : turn.scored),

  heading,

  scoresAlone: true,

  Panel({ match }) {
    const many = hasThrower(match);
    const began = (player: X01Player) => player.name === match.starter;
    return (
      <>
        <Head title={heading(match)} match={match} extra={match.to_win ? t("x01.leg", { n: match.leg }) : undefined} />
        {many && (
          <Thrower
            match={match}
            players={match.players}
            began={match.players.some((player) => began(player) && player.name === match.turn.player)}
            figures={(player) => (
              <>
                <Won match={match} player={player} />
                <Averages player={player} />
                <Visits label={t("x01.visits")} visits={player.visits} />
              </>
            )}
          />
        )}
        <Players
          match={match}
          players={match.players}
          brief={many}
          between={(player) =>
            many ? (
              <Brief match={match} player={player} began={began(player)} />
            ) : (
              <>
                <Won match={match} player={player} />
                {sidesOf(match.players).length > 1 && <Began here={began(player)} labelled />}
                <Value label={t("x01.last")} value={lastVisit(player)} />
                <Averages player={player} />
                <Visits label={t("x01.visits")} visits={player.visits} />
              </>
            )
          }
        />
        <Checkout beds={match.turn.checkout ?? []} />
      </>
    );
  },
};

/** "501 · double out · best of 5". More than two sides play until one has enough legs. */
function heading(match: X01): string {
  const { options = {}, players } = match;
  // The options of a medley are not those of its legs.
  if (match.format !== undefined) return gameTitle(match.game);
  const { legs = 1, sets = 1 } = match.to_win ?? {};
  const two = sidesOf(players).length === 2;
  const parts = [String(options.start ?? 501)];
  if (options.in === "double" || options.in === "master") parts.push(t(`x01.in.${options.in}`));
  parts.push(t(options.out === "open" || options.out === "master" ? `x01.out.${options.out}` : "x01.out.double"));
  if (sets > 1) parts.push(two ? t("x01.best_of_sets", { n: 2 * sets - 1 }) : t("x01.first_to_sets", { n: sets }));
  if (typeof options.best_of === "number") parts.push(t("x01.best_of", { n: options.best_of }));
  else if (legs > 1) {
    // Beside sets a number alone does not say what it counts.
    const what = sets > 1 ? "_legs" : "";
    parts.push(two ? t(`x01.best_of${what}`, { n: 2 * legs - 1 }) : t(`x01.first_to${what}`, { n: legs }));
  }
  return parts.join(" · ");
}

function lastVisit({ visits }: X01Player): string {
  return String(visits.at(-1) ?? "–");
}

function Averages({ player }: { player: X01Player }) {
  const { average, first_nine: nine, checkout_rate: rate, leg_darts: darts } = player;
  return (
    <>
      <Value label={t("x01.average")} value={decimal(average, 1)} />
      <Value label={t("x01.first_nine")} value={decimal(nine, 1)} />
      <Value label={t("x01.rate")} value={rate === undefined ? "–" : decimal(rate, 0)} />
      <Value label={t("x01.darts")} value={String(darts)} />
    </>
  );
}

/** One of many players: legs, the last visit, and the average. */
function Brief({ match, player, began }: { match: X01; player: X01Player; began: boolean }) {
  return (
    <>
      <Began here={began} />
      <WonInShort match={match} player={player} />
      <Value label={t("x01.last")} value={lastVisit(player)} />
      <Value label={t("x01.average")} value={decimal(player.average, 1)} />
    </>
  );
}

/** Always there, so that nothing moves when a checkout becomes possible. */
function Checkout({ beds }: { beds: string[] }) {
  return (
    <section class={beds.length ? "foot on" : "foot"}>
      <h2>{t("x01.checkout")}</h2>
      <ol class="route">
        {beds.map((bed, i) => (
          <li key={`${i}-${bed}`}>{dartName(bed)}</li>
        ))}
        {beds.length === 0 && <li class="none">–</li>}
      </ol>
    </section>
  );
}
