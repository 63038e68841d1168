// Which result the scoreboard shows now, if any.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Match } from "../match";
import { dueIn, type Ended, follow } from "./result";

export function useResult(match: Match | undefined, live: boolean): Ended | undefined {
  const kept = useRef<{ ended?: Ended | undefined; seen: boolean }>({ seen: false });
  const [, redraw] = useState(0);
  if (live) {
    kept.current = { ended: follow(kept.current.ended, match, performance.now(), !kept.current.seen), seen: true };
  }
  const { ended } = kept.current;
  const due = ended && dueIn(ended, performance.now());
  useEffect(() => {
    if (!due) return undefined;
    const timer = setTimeout(() => redraw((n) => n + 1), due);
    return () => clearTimeout(timer);
  });
  return due === 0 ? ended : undefined;
}
