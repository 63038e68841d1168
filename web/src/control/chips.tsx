// The darts of the turn, each a button that corrects it; the checkout in the places of the darts to come, and the sum.
import { scoreboardOf } from "../games";
import type { DartLabel } from "../games/scoreboard";
import type { Match } from "../match";
import { Label } from "../pages/turn";
import { dartName, points, t } from "../text";

interface Props {
  match: Match;
  labels: (DartLabel | undefined)[];
  disabled: boolean;
  /** A dart, from 1, and what it is called. */
  onPick: (number: number, bed: string) => void;
}

export function Chips({ match, labels, disabled, onPick }: Props) {
  const { darts, checkout = [] } = match.turn;
  const sum = scoreboardOf(match.game).turnPoints?.(match);
  return (
    <fieldset class="chips" aria-label={t("correct.hint")}>
      {labels.map((label, i) => {
        const wanted = label === undefined ? checkout[i - darts.length] : undefined;
        return label === undefined ? (
          <span class={wanted === undefined ? "chip open" : "chip open wanted"} key={`${i}-open`}>
            <span class="spoken">{t("dart.open", { n: i + 1 })}</span>
            {wanted === undefined ? (
              <span aria-hidden="true">{i + 1}</span>
            ) : (
              <>
                <span class="spoken">{t("x01.checkout")}</span> {dartName(wanted)}
              </>
            )}
          </span>
        ) : (
          <button
            type="button"
            class={label.long ? "chip long" : "chip"}
            key={`${i}-${label.text}`}
            disabled={disabled}
            aria-label={t("dart.correct", { n: i + 1, bed: `${label.text} ${label.small ?? ""}`.trim() })}
            onClick={() => onPick(i + 1, label.text)}
          >
            <Label label={label} />
          </button>
        );
      })}
      {/* Its place stays empty before the first dart, so that nothing moves. */}
      {sum !== undefined && (
        <span class={typeof sum === "string" ? "sum word" : "sum"}>
          {darts.length > 0 && (
            <>
              <span class="spoken">{t("darts.sum")} </span>
              {typeof sum === "number" ? points(sum) : sum}
            </>
          )}
        </span>
      )}
    </fieldset>
  );
}
