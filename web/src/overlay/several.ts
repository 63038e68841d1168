// Whether a match is played in several legs and sets.
import type { Match } from "../match";

/** By `to_win`, or by the options where the state does not say it, as in a medley of three players. */
export function severalOf({ options = {}, to_win: toWin }: Match): { legs: boolean; sets: boolean } {
  const asked = { legs: options["legs"] ?? 1, sets: options["sets"] ?? 1 };
  const many = (name: "legs" | "sets") => {
    const found = asked[name];
    return (toWin?.[name] ?? (Array.isArray(found) ? found.length : Number(found))) > 1;
  };
  return { legs: many("legs") || "best_of" in options, sets: many("sets") };
}
