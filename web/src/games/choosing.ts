// Who chooses, as a sentence.
import type { Match } from "../match";
import { t } from "../text";

/** Says for whom, where one player chooses what another one throws at. */
export function choosing({ turn, playing }: Match): string {
  const { actor: name, player } = turn;
  // Between the legs of a medley a player chooses the next game, for all.
  return name === player || playing === "choice"
    ? t("awaits.choose", { name })
    : t("awaits.choose.for", { name, player });
}
