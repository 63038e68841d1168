// The command that starts a match in a format: which options belong to the match, and which to its game.
import type { StartCommand } from "../result/rematch";
import type { GameAbout } from "./catalogue";

/** A leg of a medley after the first one: the name of a game, or `choice`. */
export type Further = string[];

export const CHOICE = "choice";

/** Options of every match, which a leg of a medley does not have. */
const OF_MATCH = new Set(["manual_chance", "auto_next", "turn_seconds", "house", "low_ton_from", "high_ton_to"]);

/** A medley takes those options of formats that are about the bull; its legs are not played as best of several. */
const BEST_OF = "best_of";

/** The options by which a game has legs and sets of its own. */
const OWN_LEGS = new Set(["legs", "sets"]);

/** Whether these options ask for more than one leg or set of the game itself, as those of X01 can. */
export function hasOwnLegs(given: Record<string, unknown>): boolean {
  return [...OWN_LEGS].some((name) => Number(given[name] ?? 1) !== 1);
}

/**
 * The command of a match, as a medley if games follow the chosen one.
 *
 * An option that is the game's own stays with its leg, even if formats have one of that name: `order` of Dart Wars.
 */
export function inFormat(
  { game, players, options }: StartCommand,
  { formats = [] }: Pick<GameAbout, "formats">,
  further: Further,
): StartCommand {
  const known = formats.map(({ name }) => name);
  const given = Object.entries(options);
  if (further.length === 0) {
    const legs = hasOwnLegs(options);
    const sent = given.filter(([name]) => !(legs && known.includes(name)));
    return { game, players, options: Object.fromEntries(sent) };
  }
  const isOfMatch = (name: string) => OF_MATCH.has(name) || known.includes(name);
  const own = given.filter(([name]) => !isOfMatch(name));
  const ofMatch = given.filter(([name]) => isOfMatch(name) && name !== BEST_OF);
  const first = { game, options: Object.fromEntries(own) };
  const legs = [first, ...further.map((name) => (name === CHOICE ? CHOICE : { game: name }))];
  return { game: "medley", players, options: { legs, ...Object.fromEntries(ofMatch) } };
}

/** The options without what they say of players who are not in this match, as a handicap of an earlier one does. */
export function ofThesePlayers(
  { options }: Pick<GameAbout, "options">,
  given: Record<string, unknown>,
  players: string[],
): Record<string, unknown> {
  const perPlayer = new Set(options.filter(({ schema }) => schema.type === "object").map(({ name }) => name));
  const kept = Object.entries(given).flatMap(([name, value]) => {
    if (!perPlayer.has(name) || typeof value !== "object" || value === null) return [[name, value]];
    const own = Object.entries(value).filter(([player]) => players.includes(player));
    return own.length > 0 ? [[name, Object.fromEntries(own)]] : [];
  });
  return Object.fromEntries(kept) as Record<string, unknown>;
}
