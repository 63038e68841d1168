// The rematch: the same game with the same players, begun by the next one.
import type { Match, Player } from "../match";

/** The hand of a player, with which a bot throws: of all their darts, or of a month; in X01 the very darts of a leg. */
export interface HandOf {
  hand: string;
  month?: string;
  leg?: "last" | "best" | "median";
}

/** How a bot throws: with this spread in mm, or with the hand of a player. */
export type Skill = number | HandOf;

export interface StartCommand {
  game: string;
  players: string[];
  options: Record<string, unknown>;
  bots?: Record<string, Skill>;
  /** Where each player throws, in the order of the players. */
  boards?: string[];
}

export function rematchOf({ game, format = game, players, options = {}, bots }: Match): StartCommand {
  const names = nextOrder(players.filter(({ house }) => !house));
  const boards = names.flatMap((name) => players.find((player) => player.name === name)?.board ?? []);
  return {
    ...{ game: format, players: names, options },
    ...(bots && { bots }),
    ...(boards.length > 0 && { boards }),
  };
}

/**
 * The order in which the next player begins. Of each team the same partner stays the first one: a handicap names the
 * first players, and another order would make other teams.
 */
function nextOrder(players: Player[]): string[] {
  const teams = Math.max(0, ...players.map(({ team = 0 }) => team));
  const names = players.map(({ name }) => name);
  const row = teams > 1 && names.length % teams === 0 ? teams : names.length;
  const rows = Array.from({ length: Math.ceil(names.length / row) }, (_, i) => names.slice(i * row, (i + 1) * row));
  return rows.flatMap(([first, ...others]) => (first === undefined ? [] : [...others, first]));
}
