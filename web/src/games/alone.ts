// One player alone: nobody is beaten, so the end says what they reached instead of who has won.
import type { MatchInfo } from "../history/request";
import type { Match, Player } from "../match";

/** Won by finishing a leg, whoever else plays; the score at its end says nothing. */
const LEG_GAMES = new Set(["x01", "cricket"]);

/** The only player of a match that ends with a figure; undefined in any other match. */
export function onlyPlayer({ game, players }: Match): Player | undefined {
  const [only, ...others] = players;
  return others.length === 0 && !LEG_GAMES.has(game) ? only : undefined;
}

/** The only player of a past match that ended with a figure, and the figure. */
export function reachedAlone({ game, players, results }: MatchInfo): { name: string; score: number } | undefined {
  const [name = "", ...others] = players;
  const score = results?.[0]?.score;
  return others.length > 0 || LEG_GAMES.has(game) || score === undefined ? undefined : { name, score };
}

/** Whether one player is alone in a match that ends with a figure; false without a match. */
export function isAlone(match: Match | undefined): boolean {
  return match !== undefined && onlyPlayer(match) !== undefined;
}
