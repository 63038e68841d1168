// The total of a visit as one number, for boards that nobody reads dart by dart.
import { useState } from "preact/hooks";
import type { Command, Match } from "../match";
import { dartName, t } from "../text";

/** Games in which a visit is worth the points of its darts. */
const GAMES = new Set(["x01", "count_up", "high_score"]);
const USUAL = [26, 41, 45, 60, 81, 85, 100, 140, 180];
const HIGHEST = 180;
const DARTS = [1, 2, 3];
const LAST = [
  ...Array.from({ length: 20 }, (_, i) => `D${20 - i}`),
  "DB",
  ...Array.from({ length: 20 }, (_, i) => `S${20 - i}`),
  "SB",
  ...Array.from({ length: 20 }, (_, i) => `T${20 - i}`),
];

export function takesTotals(match: Match): boolean {
  return GAMES.has(match.game);
}

interface Props {
  match: Match;
  disabled: boolean;
  send: (command: Command) => Promise<boolean>;
}

export function VisitTotal({ match, disabled, send }: Props) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const { turn } = match;
  const entered = turn.awaits === "next";
  const points = /^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined;
  const left = (match.players.find(({ name }) => name === turn.player)?.score ?? 0) + scored(match);
  // The suggested finish follows the darts of the turn, which the total replaces.
  const likely = Math.min(DARTS.length, turn.darts.length + (turn.checkout?.length ?? DARTS.length));
  const finishes = match.game === "x01" && points !== undefined && points === left && points > 0;

  async function enter(total: number, finish: object = {}): Promise<void> {
    if (disabled) return;
    setText("");
    if (!(await send({ visit: { points: total, ...finish } }))) setText((typed) => typed || String(total));
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    // Enter alone goes on to the next player.
    if (text.trim() === "" && entered && !disabled) void send({ next: true });
    if (text.trim() === "") return;
    setWrong(points === undefined || points > HIGHEST);
    if (points === undefined || points > HIGHEST) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    void enter(points, finishes ? { bed: String(fields.get("bed")), darts: Number(fields.get("darts")) } : {});
  }

  return (
    <form class="visit-total" onSubmit={submit}>
      <label>
        <span>{t("visit.label")}</span>
        {/* Never off: a field that is off loses the focus, and what is typed next would go to the page. */}
        <input
          value={text}
          inputmode="numeric"
          autocomplete="off"
          maxlength={3}
          onInput={(event) => {
            setWrong(false);
            setText(event.currentTarget.value);
          }}
        />
      </label>
      <button type="submit" class="primary" disabled={disabled || (text.trim() === "" && !entered)}>
        {t(text.trim() === "" && entered ? "control.next" : "control.send")}
      </button>
      {finishes && (
        <fieldset class="finish">
          <legend>{t("visit.finish")}</legend>
          <label>
            {t("visit.last")}
            <select name="bed">
              {LAST.map((bed) => (
                <option key={bed} value={bed} selected={bed === turn.checkout?.at(-1)}>
                  {dartName(bed)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t("visit.darts")}
            <select name="darts">
              {DARTS.map((n) => (
                <option key={n} value={n} selected={n === likely}>
                  {n}
                </option>
              ))}
            </select>
          </label>
        </fieldset>
      )}
      <p class="note" role={wrong ? "alert" : undefined}>
        {t(wrong ? "visit.wrong" : entered ? "visit.again" : "visit.bust")}
      </p>
      <fieldset class="usual" disabled={disabled} aria-label={t("visit.label")}>
        {USUAL.map((total) => (
          <button type="button" key={total} onClick={() => void enter(total)}>
            {total}
          </button>
        ))}
      </fieldset>
    </form>
  );
}

/** What the turn has taken off so far: a total replaces its darts. */
function scored({ turn }: Match): number {
  return "scored" in turn ? Number(turn.scored) : 0;
}
