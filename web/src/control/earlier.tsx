// The darts of the last turns: a mistake is often seen only when the next player throws.
import type { EarlierTurn, Match } from "../match";
import { dartName, t } from "../text";
import type { Rights } from "./rights";

interface Props {
  match: Match;
  rights: Rights;
  disabled: boolean;
  onPick: (turn: EarlierTurn, dart: number) => void;
}

export function EarlierDarts({ match, rights, disabled, onPick }: Props) {
  const { earlier = [] } = match;
  const own = (turn: EarlierTurn) => rights.referee || rights.why === undefined || turn.player === rights.me;
  if (earlier.length === 0) return null;
  return (
    <details class="earlier">
      <summary>{t("earlier")}</summary>
      {earlier.map((turn) => (
        <fieldset key={turn.back} disabled={disabled || !own(turn)}>
          <legend>{turn.player}</legend>
          {turn.darts.map((dart, i) => (
            <button
              type="button"
              key={`${i}-${dart}`}
              aria-label={t("earlier.dart", { name: turn.player, n: i + 1, bed: dartName(dart) })}
              onClick={() => onPick(turn, i + 1)}
            >
              {dartName(dart)}
            </button>
          ))}
        </fieldset>
      ))}
    </details>
  );
}
