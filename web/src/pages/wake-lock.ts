// Keeps the screen on while a page is in view, where the browser allows it: on this machine, and over HTTPS.
import { useEffect } from "preact/hooks";

/** Asks again whenever the page is in view: browsers release the lock when it is not. */
export function useWakeLock(wanted = true): void {
  useEffect(() => {
    if (!wanted || !("wakeLock" in navigator)) return undefined;
    let lock: WakeLockSentinel | undefined;
    let over = false;
    const ask = async () => {
      if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
      try {
        const got = await navigator.wakeLock.request("screen");
        if (over) void got.release();
        else lock = got;
      } catch {
        // The battery is low, or the owner does not allow it: the screen goes dark as usual.
      }
    };
    const again = () => void ask();
    document.addEventListener("visibilitychange", again);
    again();
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", again);
      void lock?.release();
    };
  }, [wanted]);
}
