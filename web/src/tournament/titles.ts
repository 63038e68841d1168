// What a round is called.
import type { Fixture } from "./state";
import { w, type Word } from "./words";

export function titleOf({ stage, round, from_end: fromEnd }: Fixture): string {
  if (stage === "final") return w("decider");
  if (stage === "third") return w("third");
  if (stage === "losers") return w("losers", { n: round });
  if (stage === "knockout" && fromEnd !== undefined && fromEnd <= 4) {
    return w((fromEnd === 1 ? "final" : `final.${fromEnd}`) as Word);
  }
  return w("round", { n: round });
}
