// The clock of a turn, in a match with the option: it is shown, and nothing happens at its end.
import { useEffect, useState } from "preact/hooks";
import type { Match } from "../match";
import { t } from "../text";

/**
 * The clocks of two machines differ: up to this much behind the page's clock, and however far ahead of it, a turn is
 * timed from when the page saw it.
 */
const LATE_MS = 3000;

export function TurnClock({ match }: { match: Match }) {
  const seconds = Number(match.options?.turn_seconds ?? 0);
  const { began, awaits } = match.turn;
  const [now, setNow] = useState(Date.now());
  const [from, setFrom] = useState(Date.now());
  const runs = seconds > 0 && began !== undefined && !match.finished && awaits !== "next";
  useEffect(() => {
    const told = Date.parse(began ?? "");
    const here = Date.now();
    setFrom(here - told > LATE_MS ? told : here);
    setNow(here);
    if (!runs) return;
    const ticking = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(ticking);
  }, [began, runs]);
  if (!runs) return null;
  const left = Math.min(seconds, Math.max(0, Math.ceil(seconds - (now - from) / 1000)));
  return (
    <span class={left === 0 ? "clock over" : "clock"} role="timer">
      <span aria-hidden="true">{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`}</span>
      <span class="spoken">{left === 0 ? t("clock.over") : t("clock.left", { n: left })}</span>
    </span>
  );
}
