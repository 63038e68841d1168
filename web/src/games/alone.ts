// One player alone: nobody is beaten, so the end says what they reached instead of who has won.
import type { Match, Player } from "../match";

/** Won by finishing a leg, whoever else plays; the score at its end says nothing. */
const LEG_GAMES = new Set(["x01", "cricket"]);

/** The only player of a match that ends with a figure; undefined in any other match. */
export function onlyPlayer({ game, players }: Match): Player | undefined {
  const [only, ...others] = players;
  return others.length === 0 && !LEG_GAMES.has(game) ? only : undefined;
}

/** Whether one player is alone in a match that ends with a figure; false without a match. */
export function isAlone(match: Match | undefined): boolean {
  return match !== undefined && onlyPlayer(match) !== undefined;
}
