// After a match with figures of each side, such as X01 and Cricket: the same table as on the result of a television.
import { unitOf } from "../games/unit";
import type { Match } from "../match";
import { Figures } from "../result/figures";
import { standing } from "../result/result";

export function Outcome({ match }: { match: Match }) {
  const { result, to_win: { legs = 1, sets = 1 } = {}, winners } = match;
  if (!match.finished || !result?.players || result.players.length < 2) return null;
  const sides = standing({ match, result });
  return (
    <Figures
      sides={sides}
      unit={unitOf(match)}
      won={sides.filter(({ name }) => name.split(" & ").some((one) => winners.includes(one))).length}
      without={[
        ...(sets === 1 ? (["x01.sets"] as const) : []),
        ...(legs === 1 && sets === 1 ? (["x01.legs"] as const) : []),
      ]}
    />
  );
}
