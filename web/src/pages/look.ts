// The pages of `oche setup` and `oche learn` have no broker: they poll the command's state.
import { useEffect, useState } from "preact/hooks";

/**
 * Asks for an address again and again, until `take` says that this was all.
 *
 * Gives whether the command is away, and the function that says so, for answers that it did not take.
 */
export function useLook(address: string, everyMs: number, take: (answer: Response) => Promise<boolean>) {
  const [away, setAway] = useState(false);
  useEffect(() => {
    let open = true;
    const look = async () => {
      while (open) {
        try {
          if (await take(await fetch(address))) return;
          setAway(false);
        } catch {
          setAway(true);
        }
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    };
    void look();
    return () => {
      open = false;
    };
  }, []);
  return [away, setAway] as const;
}
