// The darts of the current turn, and what it waits for.
import { scoreboardOf } from "../games";
import { onlyPlayer } from "../games/alone";
import { choosing } from "../games/choosing";
import type { DartLabel } from "../games/scoreboard";
import { boardOfTurn, isUnthrown } from "../games/seats";
import type { Match } from "../match";
import { points, t } from "../text";
import { TurnClock } from "./clock";

/** What the turn waits for, as a sentence. */
export function awaited(match: Match): string {
  const { turn, finished, result, game } = match;
  // The result comes by itself: nobody need press Next for it.
  if (finished || result?.of === "match") {
    const winners = finished ? match.winners : (result?.winners ?? []);
    const only = onlyPlayer(match);
    if (only) return t("alone.score", { name: only.name, n: points(only.score) });
    const names = winners.join(" & ");
    return t(winners.length > 1 ? "won.shared" : "won", { names });
  }
  if (result) return t(`flash.${result.of}` as const, { name: result.winners.join(" & ") });
  const own = scoreboardOf(game).awaited?.(match);
  if (own !== undefined) return own;
  if (turn.awaits === "choose" && !turn.candidates) return choosing(match);
  const asked = turn.awaits === "choose" ? "awaits.choose.bed" : (`awaits.${turn.awaits}` as const);
  return t(asked, { name: turn.actor, n: turn.darts.length + 1 });
}

/** The board of the turn, after the sentence, in a match on several boards. */
export function AtBoard({ match }: { match: Match }) {
  const board = boardOfTurn(match);
  return board === undefined ? null : <span class="at-board">{board}</span>;
}

/** A longer sentence is set smaller, so that it fits. */
const LINE = 42;

/** And one that is longer than this has two lines. */
const TWO_LINES = 68;

interface Props {
  match: Match;
  labels: (DartLabel | undefined)[];
  /** The points of the darts, or a word instead. */
  total: number | string | undefined;
  /** The address of the control page. */
  control: string;
}

/** The darts as cards in a row, then their points, if the game has turn points. */
export function TurnStrip({ match, labels, total, control }: Props) {
  const last = match.turn.darts.length - 1;
  const begins = isUnthrown(match) && scoreboardOf(match.game).awaited?.(match) === undefined;
  const words = begins ? t("throw.to.start", { name: match.turn.actor }) : awaited(match);
  const letters = words.length + (boardOfTurn(match)?.length ?? 0);
  return (
    <section class="turn">
      <ol class="slots">
        {labels.map((label, i) => (
          <li key={`${i}-${label?.text}`} class={slotClass(label, i === last)}>
            {label === undefined ? <span aria-hidden="true">{i + 1}</span> : <Label label={label} />}
          </li>
        ))}
        {total !== undefined && (
          <li class={typeof total === "string" ? "total word" : "total"}>
            <span class="spoken">{t("darts.sum")} </span>
            {match.turn.darts.length > 0 && <Total total={total} />}
          </li>
        )}
      </ol>
      <div class="line">
        <p
          class={["awaits", match.finished && "won", letters > LINE && "long", letters > TWO_LINES && "longest"]
            .filter(Boolean)
            .join(" ")}
          style={{ "--letters": letters }}
        >
          {words}
          <AtBoard match={match} />
          <TurnClock match={match} />
        </p>
        <a href={control}>{t("open.control")}</a>
      </div>
    </section>
  );
}

function Total({ total }: { total: number | string }) {
  if (typeof total === "number") return points(total);
  return <span style={{ "--letters": total.length }}>{total}</span>;
}

function slotClass(label: DartLabel | undefined, latest: boolean): string {
  if (label === undefined) return "slot open";
  return ["slot", latest && "latest", label.long && "long", label.mark].filter(Boolean).join(" ");
}

/** A dart's name, with a sign if it was used or must be used. */
export function Label({ label: { text, small, mark } }: { label: DartLabel }) {
  return (
    <span class="dart-label" style={{ "--letters": text.length + (small?.length ?? 0) }}>
      {mark && (
        <span class="mark">
          <span aria-hidden="true">{mark === "used" ? "✓" : "!"}</span>
          <span class="spoken">{t(`dart.${mark}`)}: </span>
        </span>
      )}
      {text}
      {small && <small>{small}</small>}
    </span>
  );
}
