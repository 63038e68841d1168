// Dards: the ring of numbers as a clock, the card that moves its hand, the stack that multiplies.
import { Dartboard } from "../board/dartboard";
import { polar } from "../geometry";
import type { Match, Player, Turn } from "../match";
import { dartName, t } from "../text";
import { Card, isRed, rankName } from "./cards";
import { Players } from "./players";
import type { ControlProps, Scoreboard } from "./scoreboard";
import { ListHead } from "./thrower";

interface DardsTurn extends Turn {
  card?: string;
  /** The position of the clock's hand before the card. */
  from?: number;
  target?: number;
  multiplier?: number;
  points?: number[];
  scored?: number;
}

interface DardsPlayer extends Player {
  round_score: number;
  cards_left: number;
  /** Their dart at the bull, while it decides who starts. */
  bull?: string;
}

interface Dards extends Match {
  mode: "hands" | "rapid";
  turn: DardsTurn;
  players: DardsPlayer[];
  position?: number;
  stack?: { rank: string; height: number; cards: string[] };
  wild?: string;
  wild_card?: string;
}

/** The effect of a card of the player's hand, in their turn. */
type Plays = Record<string, { target: number; multiplier: number }>;

const RIM = 0.977;
const STEP = Math.PI / 10;

export const dards: Scoreboard<Dards> = {
  lit: ({ turn }) => (turn.target === undefined ? {} : { targets: [turn.target] }),

  points: true,

  turnPoints: ({ turn, position }) => (position === undefined ? "" : (turn.scored ?? 0)),

  hands: ({ mode, players, position, turn }) =>
    mode === "hands" &&
    position !== undefined &&
    (turn.awaits === "choose" || players.some(({ cards_left }) => cards_left > 0)),

  awaited: ({ turn, position }) =>
    turn.awaits === "choose" && !turn.candidates
      ? t("dards.choose", { name: turn.actor })
      : turn.awaits === "throw" && position === undefined
        ? t("bull.throw", { name: turn.actor })
        : undefined,

  Board({ match, geometry, darts, aimed }) {
    return (
      <Dartboard
        geometry={geometry}
        lit={match.finished || match.turn.target === undefined ? {} : { targets: [match.turn.target] }}
        darts={darts}
        aimed={aimed}
      >
        <Clock match={match} numbers={geometry.numbers} />
      </Dartboard>
    );
  },

  Panel({ match }) {
    const { turn, position, wild } = match;
    return (
      <>
        <ListHead match={match} title={t("game.dards")} />
        <section class="dards" aria-label={t("dards.pile")}>
          <div class="laid">
            {turn.card ? (
              <Card key={turn.card} card={turn.card} wild={turn.card.slice(0, -1) === wild} />
            ) : (
              <span class="card-face none" />
            )}
          </div>
          <p class="aimed-at">
            <b>{turn.target ?? position ?? "–"}</b>
            <small>{turn.target === undefined ? t("dards.position") : t("dards.target")}</small>
          </p>
          <p class={turn.multiplier === undefined ? "times" : "times on"}>
            <b>×{turn.multiplier ?? match.stack?.height ?? 1}</b>
            <small>{t("dards.multiplier")}</small>
          </p>
          <div class="stack">
            <ol>
              {match.stack?.cards.map((card) => (
                <li key={card}>
                  <Card card={card} wild={card.slice(0, -1) === wild} />
                </li>
              ))}
            </ol>
            <small>{match.stack ? t("dards.stack", { rank: rankName(match.stack.rank) }) : t("dards.nostack")}</small>
            <small class="wild-rank">{wild ? t("dards.wild", { rank: rankName(wild) }) : ""}</small>
          </div>
        </section>
        <Players
          match={match}
          players={match.players}
          figures={({ round_score, cards_left, bull }) =>
            position === undefined
              ? [{ label: t("dards.bull"), value: bull === undefined ? "–" : dartName(bull) }]
              : [
                  { label: t("dards.cards"), value: String(cards_left) },
                  { label: t("dards.round"), value: String(round_score) },
                ]
          }
        />
      </>
    );
  },

  Control,
};

/** The clock's hand at the position in the ring, and the card's path along the rim. */
function Clock({ match, numbers }: { match: Dards; numbers: number[] }) {
  const { turn, position } = match;
  if (position === undefined) return null;
  const at = numbers.indexOf(position) * STEP;
  const [x, y] = polar(0.9, at);
  return (
    <g class="clock" key={`${turn.card}-${position}`}>
      {turn.card !== undefined && turn.from !== undefined && (
        <Way from={numbers.indexOf(turn.from)} to={numbers.indexOf(position)} clockwise={isRed(turn.card)} />
      )}
      <path class="needle" d={`M0 0L${x} ${y}`} />
      <circle class="hub" r="0.05" />
    </g>
  );
}

/** From the old number to the new one, with a dot for every step. */
function Way({ from, to, clockwise }: { from: number; to: number; clockwise: boolean }) {
  const paces = (clockwise ? to - from + 20 : from - to + 20) % 20 || 20;
  const sign = clockwise ? 1 : -1;
  const point = (pace: number) => polar(RIM, (from + sign * pace) * STEP);
  const [a, b] = [point(0), point(paces - 0.32)];
  const [tip, left, right] = [
    point(paces + 0.12),
    polar(RIM + 0.055, (from + sign * (paces - 0.34)) * STEP),
    polar(RIM - 0.055, (from + sign * (paces - 0.34)) * STEP),
  ];
  return (
    <g class="way">
      <path d={`M${a}A${RIM} ${RIM} 0 ${paces > 10 ? 1 : 0} ${clockwise ? 1 : 0} ${b}`} />
      {Array.from({ length: paces }, (_, pace) => {
        const [x, y] = point(pace);
        return <circle key={pace} cx={x} cy={y} r={pace === 0 ? 0.04 : 0.022} />;
      })}
      <path class="tip" d={`M${tip}L${left}L${right}Z`} />
    </g>
  );
}

/** The player's own cards; in their turn they can play one. */
function Control({ match, send, busy, hand }: ControlProps<Dards>) {
  const cards = hand?.hand as string[] | undefined;
  if (!cards?.length) return null;
  const plays = (hand?.plays ?? {}) as Plays;
  const mine = match.turn.awaits === "choose" && match.turn.actor === hand?.name && hand.revision === match.revision;
  return (
    <fieldset class="hand" disabled={busy || !mine}>
      <legend>{t(mine ? "dards.lay" : "dards.hand")}</legend>
      <ol>
        {cards.map((card) => (
          <li key={card}>
            <button type="button" onClick={() => send({ choose: { card } })}>
              <Card card={card} wild={card.slice(0, -1) === match.wild} />
              <small>{played(plays[card])}</small>
            </button>
          </li>
        ))}
      </ol>
    </fieldset>
  );
}

function played(play: Plays[string] | undefined): string {
  return play ? `${play.target} ×${play.multiplier}` : "";
}
