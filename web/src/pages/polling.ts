// The pages of `oche setup` and `oche learn` have no broker: they poll the command's state.
import { useEffect, useState } from "preact/hooks";

/**
 * Polls an address until `accept` returns that it is done.
 *
 * Returns whether the command is away, and the setter for it, for answers that did not arrive.
 */
export function usePolling(address: string, everyMs: number, accept: (answer: Response) => Promise<boolean>) {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    let open = true;
    const poll = async () => {
      while (open) {
        try {
          if (await accept(await fetch(address))) return;
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
  return [isAway, setIsAway] as const;
}
