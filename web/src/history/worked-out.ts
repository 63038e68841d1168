// What the daemon works out in the background, asked for again until it is there.
import { useEffect, useState } from "preact/hooks";
import { type Loaded, request } from "./request";

/** How long to wait before asking again. */
const AGAIN_MS = 3000;
/** So many failures in a row, and it is not asked again. */
const FAILURES = 5;

/** The answer at an address; a later one replaces it while it is `computing`. */
export function useWorkedOut<T extends { state: string }>(address: string): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const ask = async () => {
      const found = await request<T>(address, { signal: leaving.signal });
      if (leaving.signal.aborted) return;
      setLoaded((last) => (found.value ? found : { ...last, ...found }));
      failures = found.value ? 0 : failures + 1;
      if (found.value ? found.value.state === "computing" : failures < FAILURES)
        timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    void ask();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [address]);
  return loaded;
}
