// The darts of the turn that is going on, and what it awaits.
import type { Match } from "../match";
import { dartName, t } from "../text";

const DARTS = 3;

/** What the turn waits for, as a sentence. */
export function awaited({ turn, finished, winners }: Match): string {
  if (finished) {
    const names = winners.join(" & ");
    return t(winners.length > 1 ? "won.shared" : "won", { names });
  }
  const asked = turn.awaits === "choose" && turn.candidates ? "awaits.choose.bed" : (`awaits.${turn.awaits}` as const);
  return t(asked, { name: turn.actor, n: turn.darts.length + 1 });
}

/** As many places as a turn has darts, whether they are thrown or not. */
export function places(match: Match): (string | undefined)[] {
  return Array.from({ length: Math.max(DARTS, match.turn.darts.length) }, (_, i) => match.turn.darts[i]);
}

interface Props {
  match: Match;
  /** What the darts are worth together, or a word instead. */
  total: number | string | undefined;
  /** The address of the control page. */
  control: string;
}

/** The darts as cards in a row, then what they are worth together, if the game has a word for that. */
export function TurnStrip({ match, total, control }: Props) {
  const last = match.turn.darts.length - 1;
  return (
    <section class="turn">
      <ol class="slots">
        {places(match).map((dart, i) => (
          <li key={`${i}-${dart}`} class={dart === undefined ? "slot open" : i === last ? "slot latest" : "slot"}>
            {dart === undefined ? <span aria-hidden="true">{i + 1}</span> : dartName(dart)}
          </li>
        ))}
        {total !== undefined && (
          <li class={typeof total === "string" ? "total word" : "total"}>
            <span class="spoken">{t("darts.sum")} </span>
            {match.turn.darts.length > 0 ? total : ""}
          </li>
        )}
      </ol>
      <div class="line">
        <p class={match.finished ? "awaits won" : "awaits"}>{awaited(match)}</p>
        <a href={control}>{t("open.control")}</a>
      </div>
    </section>
  );
}

/** Says every change aloud, for those who do not look. */
export function Spoken({ match }: { match: Match }) {
  const { darts, player } = match.turn;
  const score = match.players.find(({ name }) => name === player)?.score;
  return (
    <p class="spoken" role="status" aria-live="polite">
      {[darts.map((dart) => dartName(dart)).join(", "), `${player} ${score ?? ""}`, awaited(match)].join(". ")}
    </p>
  );
}
