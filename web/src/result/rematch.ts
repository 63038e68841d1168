// The rematch: the same game with the same players, begun by the next one.
import type { Match } from "../match";

export interface StartCommand {
  game: string;
  players: string[];
  options: Record<string, unknown>;
  bots?: Record<string, number>;
}

export function rematchOf({ game, format = game, players, options = {}, bots }: Match): StartCommand {
  const [first, ...others] = players.filter(({ house }) => !house).map(({ name }) => name);
  const start = { game: format, players: first === undefined ? [] : [...others, first], options };
  return bots ? { ...start, bots } : start;
}
