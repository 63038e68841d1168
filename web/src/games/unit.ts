// What the scores of a match count: the head of their column on the result.
import type { Match } from "../match";
import type { Key } from "../text";
import type { Spoken } from "./words/view";

export function unitOf(match: Match): Key {
  if (match.game === "dart_wars") return "wars.troops";
  return countsLives(match) ? "word.lives" : "score";
}

/** Whether the scores of a match are lives. On a course they are places. */
export function countsLives({ players, track }: Spoken): boolean {
  const sides = players.filter(({ house }) => !house);
  return track === undefined && sides.every(({ lives, score }) => lives === score);
}
