// A button that asks for the handicap with which both sides have the same chance to win, and shows that chance.
import { useState } from "preact/hooks";
import type { Reply } from "../match";
import type { StartCommand } from "../result/rematch";
import { percent, refusalText, t } from "../text";

/** The options that it fills in. */
export const HANDICAP = "handicap";
export const POINTS = "handicap_points";

interface Props {
  /** The match as it would begin, without a handicap. */
  start: StartCommand;
  /** The handicap in the form. */
  given: Record<string, unknown>;
  ask: (start: StartCommand) => Promise<Reply | undefined>;
  onFill: (handicap: Record<string, unknown>) => void;
}

interface Answer {
  /** The match that was asked about: of another one it says nothing. */
  about: string;
  handicap?: string;
  words: string;
}

export function FairHandicap({ start, given, ask, onFill }: Props) {
  const [answer, setAnswer] = useState<Answer>();
  const [busy, setBusy] = useState(false);
  const about = JSON.stringify(start);
  async function find() {
    setBusy(true);
    setAnswer(undefined);
    const reply = await ask(start);
    setBusy(false);
    if (!reply?.ok) setAnswer({ about, words: reply ? refusalText(reply) : t("control.noanswer") });
    else if (reply.fair) {
      const { handicap, even, vague, error } = reply.fair;
      const filled = {
        [HANDICAP]: Object.keys(handicap).length > 0 ? handicap : undefined,
        [POINTS]: reply.fair[POINTS],
      };
      const chances = Object.entries(reply.fair.chance).map(([name, chance]) => `${name} ${percent(chance)}`);
      const known = even ? "start.fair.even" : vague ? "start.fair.vague" : "start.fair.nearest";
      const words = t(known, { words: chances.join(", "), error: percent(2 * error) });
      setAnswer({ about, handicap: inOrder(filled), words });
      onFill(filled);
    }
  }
  // A changed handicap has another chance than the one that was told.
  const current = answer?.about === about && (answer.handicap === undefined || answer.handicap === inOrder(given));
  return (
    <div class="fair">
      <button type="button" class="quiet" disabled={busy} onClick={() => void find()}>
        {t(busy ? "start.fair.wait" : "start.fair")}
      </button>
      <small role="status">{current ? answer.words : ""}</small>
    </div>
  );
}

/** A handicap as text, the same in whatever order its players were typed. */
function inOrder(given: Record<string, unknown>): string {
  const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);
  return JSON.stringify([HANDICAP, POINTS].map((option) => Object.entries(given[option] ?? {}).sort(byName)));
}
