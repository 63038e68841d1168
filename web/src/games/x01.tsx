// X01: what is left, legs, sets, the average, and a finish where there is one.
import type { Match, Player, Turn } from "../match";
import { dartName, decimal, t } from "../text";
import { Head, Players } from "./players";
import type { Scoreboard } from "./scoreboard";

interface X01Player extends Player {
  legs: number;
  sets: number;
  average: number;
  darts: number;
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

  Panel({ match }) {
    const sets = Number(match.options?.sets ?? 1) > 1;
    return (
      <>
        <Head title={t("game.x01")} match={match} extra={t("x01.leg", { n: match.leg })} />
        <Players
          match={match}
          players={match.players}
          figures={(player) => [
            ...(sets ? [{ label: t("x01.sets"), value: String(player.sets) }] : []),
            { label: t("x01.legs"), value: String(player.legs) },
            { label: t("x01.average"), value: decimal(player.average, 1) },
          ]}
        />
        <Checkout beds={match.turn.checkout ?? []} />
      </>
    );
  },
};

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
