// Which awards of a turn are announced, and their sounds.
import type { MatchEvent } from "../match";
import { maybe, t } from "../text";
import type { Sound } from "./sounds";

/** Events that say more than an award of the same dart. */
const GREATER = new Set(["checkout", "leg", "set", "decided"]);
const MAXIMUM = 180;

const SOUNDS: Partial<Record<string, Sound>> = { cerberus_50: "maximum", ton_80: "maximum", nine_marks: "maximum" };
const OWN_SOUND = new Set(["master_of_the_world"]);

/** The word for an award of a player, to be shouted; undefined for one that the pages do not know. */
export function awardWord(award: unknown, player: unknown): string | undefined {
  const name = maybe(`award.${String(award)}`);
  return maybe(`flash.${String(award)}`, { name: String(player) }) ?? (name && t("flash.award", { award: name }));
}

/**
 * Whether an event is announced beside the others of its turn.
 *
 * Of several awards the first is, and none beside a finish. 180 points are announced once: by the award where it comes
 * before the score, else by the score.
 */
export function onePerTurn(): (event: MatchEvent) => boolean {
  let taken: unknown;
  let maximum = false;
  return ({ event, revision, award, points }) => {
    if (GREATER.has(event)) taken = revision;
    if (event === "turn" || event === "undone" || event === "corrected") maximum = false;
    if (event === "score" && points === MAXIMUM) {
      if (maximum) return false;
      taken = revision;
    }
    if (event !== "award") return true;
    if (taken === revision || maybe(`award.${String(award)}`) === undefined) return false;
    taken = revision;
    if (award === "ton_80") maximum = true;
    return true;
  };
}

/** The sound of an award that the pages know. */
export function soundOfAward(award: unknown): Sound | undefined {
  const name = String(award);
  if (maybe(`award.${name}`) === undefined || OWN_SOUND.has(name)) return undefined;
  return SOUNDS[name] ?? "award";
}
