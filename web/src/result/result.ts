// The result of a leg or a match as the page needs it: who is in it, and when it is shown.
import type { Match, MatchResult, ResultSide } from "../match";
import { sidesOf } from "../games/sides";

/** The time from the winning dart to the result: about as long as the third dart would have taken. */
export const RESULT_AFTER_MS = 4000;

/** How long the result of a leg stays after `next`, unless a dart is thrown. */
export const RESULT_STAYS_MS = 20000;

/** A result with the state that it belongs to; `at` is when it was first seen, `left` when the next leg began. */
export interface Ended {
  match: Match;
  result: MatchResult;
  at: number;
  left?: number;
}

/**
 * What follows from a state that has just come in. `first`: it is the first one that this page has seen.
 *
 * The result of a leg goes from the state when the next leg begins; the page keeps it until the first dart.
 */
export function follow(
  before: Ended | undefined,
  match: Match | undefined,
  now: number,
  first: boolean,
): Ended | undefined {
  if (match?.result) {
    const same =
      before?.match.match === match.match && before.result.of === match.result.of && before.left === undefined;
    return { match, result: match.result, at: same ? before.at : first ? -Infinity : now };
  }
  if (!before || !match || before.match.match !== match.match || match.turn.darts.length > 0) return undefined;
  // Without another leg, the winning dart was undone or corrected.
  if (match.leg === undefined || match.leg === before.match.leg) return undefined;
  return before.left === undefined ? { ...before, left: now } : before;
}

/** In how many ms the result is to be shown, 0: now; undefined: no longer. */
export function dueIn({ match, at, left }: Ended, now: number): number | undefined {
  if (left !== undefined) return now < left + RESULT_STAYS_MS ? 0 : undefined;
  return match.finished ? 0 : Math.max(0, at + RESULT_AFTER_MS - now);
}

/** The sides of a result, the winners first; those of a game without figures have the score alone. */
export function standing({ match, result }: Pick<Ended, "match" | "result">): ResultSide[] {
  const sides =
    result.players ??
    sidesOf(match.players).map((side) => ({
      name: side.map(({ name }) => name).join(" & "),
      score: side[0].score,
      place: side[0].place,
    }));
  const won = (side: ResultSide) => result.winners.some((name) => side.name.split(" & ").includes(name));
  return [...sides].sort((a, b) => Number(won(b)) - Number(won(a)) || rank(a) - rank(b));
}

function rank({ place, legs, score }: ResultSide): number {
  if (place !== undefined) return place;
  return legs !== undefined ? -legs : -(score ?? 0);
}

/** The points of a curve: what was left after each visit, or the marks so far, where nothing is counted down. */
export function curveOf({ start, visits = [] }: ResultSide): number[] {
  let value = start ?? 0;
  return [value, ...visits.map((visit) => (value += start === undefined ? visit : -visit))];
}

/** The height of a number at the end of a line. */
const LETTER = "3.5 * var(--unit)";

/**
 * Where numbers stand, as values of `top`: at their places, from 0 to 1 downwards, but moved apart so that none covers
 * another; in the order in which they came.
 */
export function tops(places: number[]): string[] {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const found = places.map(() => "");
  let above = "";
  order.forEach((at, i) => {
    const own = `${(100 * (places[at] ?? 0)).toFixed(1)}%`;
    const below = order.length - 1 - i;
    above = `min(${above ? `max(${own}, ${above} + ${LETTER})` : own}, 100% - ${below} * ${LETTER})`;
    found[at] = above;
  });
  return found;
}
