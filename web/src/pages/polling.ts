// The pages of `oche setup` and `oche learn` have no broker: they poll the command's state.
import { useEffect, useState } from "preact/hooks";

/** What a daemon that is not the command answers. */
const NOT_FOUND = 404;

interface Polling {
  /** Whether the command does not answer. */
  isAway: boolean;
  /** For answers that did not arrive. */
  setIsAway: (isAway: boolean) => void;
  /** Whether something else answers here: the command does not run, and is not asked again. */
  isAbsent: boolean;
}

/** Polls an address until `accept` returns that it is done, or until the server does not have the address. */
export function usePolling(address: string, everyMs: number, accept: (answer: Response) => Promise<boolean>): Polling {
  const [isAway, setIsAway] = useState(false);
  const [isAbsent, setIsAbsent] = useState(false);
  useEffect(() => {
    let open = true;
    const poll = async () => {
      while (open) {
        try {
          const answer = await fetch(address);
          if (answer.status === NOT_FOUND) return setIsAbsent(true);
          if (await accept(answer)) return;
          setIsAway(false);
        } catch {
          setIsAway(true);
        }
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    };
    void poll();
    return () => {
      open = false;
    };
  }, []);
  return { isAway, setIsAway, isAbsent };
}
