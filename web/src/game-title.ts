// The titles of games by name, as the games give them; the daemon sends them with the geometry.
import { maybe } from "./text";

let titles: Record<string, string> = {};

export function knowTitles(known: Record<string, string> | undefined): void {
  titles = known ?? {};
}

/** The title of a game in the page's language; for one that is not installed any more, its name in words. */
export function gameTitle(game: string): string {
  return maybe(`game.${game}`) ?? titles[game] ?? game.replaceAll("_", " ");
}
