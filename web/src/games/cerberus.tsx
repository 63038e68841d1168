// Cerberus: the dice and their targets, marks times multiplier, and how far each player is behind.
import type { Match, Player, Turn } from "../match";
import { t } from "../text";
import { Players } from "./players";
import type { Scoreboard } from "./scoreboard";
import { ListHead } from "./thrower";

type Target = number | "bull" | "wild";

interface CerberusTurn extends Turn {
  roll?: number[];
  targets?: Target[];
  marks?: number;
  multiplier?: number;
  scored?: number;
  /** The wild number, once all the darts are thrown. */
  wild?: number;
}

interface CerberusPlayer extends Player {
  /** The round in which the player went out. */
  out?: number;
  place?: number;
}

interface Cerberus extends Match {
  turn: CerberusTurn;
  players: CerberusPlayer[];
  margin?: number;
}

/** The target that a dart has hit, if it is one of this turn's. */
function targetOf(dart: string): Target {
  return dart === "SB" || dart === "DB" ? "bull" : Number(/\d+$/.exec(dart)?.[0]);
}

export const cerberus: Scoreboard<Cerberus> = {
  lit({ turn }) {
    return {
      targets: [...(turn.targets ?? []).filter((target) => target !== "wild"), ...(turn.wild ? [turn.wild] : [])],
    };
  },

  Panel({ match }) {
    const best = Math.max(...match.players.filter((player) => player.out === undefined).map((player) => player.score));
    return (
      <>
        <ListHead match={match} title={t("game.cerberus")} />
        <Dice turn={match.turn} />
        <Players
          match={match}
          players={match.players}
          gone={(player) => (player.out === undefined ? undefined : t("cerberus.out", { n: player.out }))}
          between={(player) => <Behind by={best - player.score} margin={match.margin} />}
        />
      </>
    );
  },

  Control({ match, send, busy }) {
    const { turn } = match;
    if (!turn.targets?.includes("wild") || turn.awaits !== "next") return null;
    return (
      <fieldset class="choices-of" disabled={busy}>
        <legend>{t("cerberus.wild.pick")}</legend>
        <p>{t("cerberus.wild.help")}</p>
        <div class="numbers-grid">
          {Array.from({ length: 20 }, (_, i) => i + 1)
            .filter((number) => !turn.targets?.includes(number))
            .map((number) => (
              <button
                type="button"
                key={number}
                aria-pressed={turn.wild === number}
                onClick={() => send({ choose: { wild: number } })}
              >
                {number}
              </button>
            ))}
        </div>
      </fieldset>
    );
  },
};

function Dice({ turn }: { turn: CerberusTurn }) {
  const targets: (Target | undefined)[] = turn.targets ?? [undefined, undefined, undefined];
  const { marks = 0, multiplier = 0 } = turn;
  return (
    <section class="dice" aria-label={t("cerberus.dice")}>
      <ol>
        {targets.map((target, i) => (
          <Die
            // Each roll has new dice, with their own animation.
            key={`${i}-${target}-${turn.roll?.join()}`}
            target={target}
            times={turn.roll?.filter((die) => die === target).length ?? 1}
            wild={turn.wild}
            marked={turn.darts.map(targetOf).some((hit) => hit === target || (target === "wild" && hit === turn.wild))}
          />
        ))}
      </ol>
      <p class={marks ? "sum on" : "sum"}>
        <span>{marks}</span>
        <i>×</i>
        <span>{multiplier}</span>
        <i>=</i>
        <b>{turn.scored ?? 0}</b>
      </p>
    </section>
  );
}

interface DieProps {
  target: Target | undefined;
  /** How many of the three dice show it. */
  times: number;
  wild: number | undefined;
  marked: boolean;
}

/** A die of twenty sides from above, with the others of the same value behind it; a ring for the bull. */
function Die({ target, times, wild, marked }: DieProps) {
  const hexagon = "M0-22 19-11V11L0 22-19 11V-11Z";
  const facets = "M0-22-11-6H11ZM-19-11-11-6 0 13 11-6 19-11M-11-6-19 11 0 13 19 11 11-6M0 13V22";
  const text = target === "bull" ? t("bull") : target === "wild" ? (wild ?? "?") : (target ?? "");
  const stack = Array.from({ length: Math.max(1, times) }, (_, i) => i).reverse();
  const kind = ["die", target !== undefined && "rolled", marked && "marked", target === "wild" && "joker"]
    .filter(Boolean)
    .join(" ");
  return (
    <li class={kind}>
      <svg viewBox="-26 -26 52 52" aria-hidden="true">
        {target === "bull" ? (
          <circle class="face" r="21" />
        ) : (
          stack.map((behind) => (
            <g key={behind} transform={`translate(${behind * 4} ${behind * -3})`}>
              <path class="face" d={hexagon} />
              {behind === 0 && <path class="facets" d={facets} />}
            </g>
          ))
        )}
      </svg>
      <b class={typeof text === "string" && text.length > 2 ? "word" : ""}>{text}</b>
      {target === "wild" && <small>{t("cerberus.wild")}</small>}
    </li>
  );
}

function Behind({ by, margin }: { by: number; margin: number | undefined }) {
  if (by <= 0) return <span class="behind leads">{t("cerberus.leads")}</span>;
  const near = margin !== undefined && by >= margin;
  return (
    <span class={near ? "behind closing" : "behind"}>
      <b>
        <span class="long">{t("cerberus.behind", { n: by })}</span>
        <span class="short" aria-hidden="true">
          −{by}
        </span>
      </b>
      {margin !== undefined && (
        <span class="track" aria-hidden="true">
          <span style={{ width: `${Math.min(100, (100 * by) / margin)}%` }} />
        </span>
      )}
    </span>
  );
}
