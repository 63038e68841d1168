// The button that tries a rule or one of its outputs.
import { useState } from "preact/hooks";
import { labelled } from "../text";
import { type Outcome, tryRule } from "./api";
import type { Output } from "./rule";
import { w } from "./words";

/** Does what a rule says at once, and says what came of it. */
export function TryButton({ rule, about }: { rule: unknown; about: string }) {
  const [running, setRunning] = useState(false);
  const [said, setSaid] = useState<{ text: string; bad: boolean }>();
  const go = async () => {
    setRunning(true);
    setSaid(undefined);
    const { value, problem, mistakes } = await tryRule(rule);
    const failed = (value?.results ?? []).filter((one) => one.message !== undefined);
    const wrong = mistakes ? mistakes.map(({ message }) => message).join(" ") : problem;
    setRunning(false);
    if (wrong !== undefined) setSaid({ text: wrong, bad: true });
    else setSaid({ text: failed.length > 0 ? failed.map(outcomeText).join(" ") : w("tried"), bad: failed.length > 0 });
  };
  return (
    <>
      <button type="button" aria-label={`${w("try")}: ${about}`} disabled={running} onClick={() => void go()}>
        {w(running ? "trying" : "try")}
      </button>
      <span role="status" class={said?.bad ? "problem" : "show-done"}>
        {said?.text}
      </span>
    </>
  );
}

function outcomeText({ output, message }: Outcome): string {
  return labelled(w(output as Output), message ?? "");
}
