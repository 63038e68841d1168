// The games of `/games.json`: what each needs of a board and of its players, and how long it takes.
import { language, maybe, t } from "../text";
import type { Option } from "./option";

type Words = Record<string, string>;

/** An entry of `/games.json`. A game of another package may have no family, and say nothing about itself. */
export interface GameAbout {
  name: string;
  title: string;
  family?: string;
  family_title?: Words;
  about?: Record<string, Words>;
  /** Minimum and maximum. */
  players: [number, number];
  /** What a board must report, by the names of `can` in its status. */
  needs?: string[];
  /** What a board may lack, but the game then is another one. */
  prefers?: string[];
  /** Pairs of a number of players and the median darts of a match of bots, in rising order. */
  darts?: [number, number][];
  options: Option[];
  /** The options of formats that it takes as well. */
  formats?: Option[];
}

/** What a board reports: `can` in its status; undefined while nothing is known of it. */
export type Can = Record<string, unknown> | undefined;

/**
 * Time for a dart, with the walk and the change of players. A best of five legs takes professionals 15 to 20 minutes
 * (gameandentertain.com), which is about 130 darts.
 */
const SECONDS_A_DART = 8;

let games: Promise<GameAbout[]> | undefined;

/** All games; none if the daemon does not answer, and then the next call asks again. */
export function loadGames(): Promise<GameAbout[]> {
  games ??= fetch("/games.json")
    .then((answer) => answer.json() as Promise<GameAbout[]>)
    .catch(() => {
      games = undefined;
      return [];
    });
  return games;
}

/** The name of a game in the page's language. */
export function titleOf({ name, title }: GameAbout): string {
  return maybe(`game.${name}`) ?? title;
}

/** Why the game cannot be played on this board; undefined if it can. */
export function unplayable({ needs = [] }: GameAbout, can: Can): string | undefined {
  const missing = can && needs.find((ability) => !can[ability]);
  return missing && (maybe(`start.needs.${missing}`) ?? t("start.needs"));
}

/** How the game differs on this board; undefined if it does not. */
export function differs({ prefers = [] }: GameAbout, can: Can): string | undefined {
  const missing = can && prefers.find((ability) => !can[ability]);
  return missing && maybe(`start.prefers.${missing}`);
}

/** The minutes of a match of so many players, at least 1; undefined if nobody measured them. */
export function minutes({ darts }: GameAbout, players: number): number | undefined {
  const above = darts?.find(([measured]) => measured >= players) ?? darts?.at(-1);
  if (!darts || !above) return undefined;
  const below = darts.findLast(([measured]) => measured <= players) ?? above;
  const between = above[0] === below[0] ? 0 : (players - below[0]) / (above[0] - below[0]);
  return Math.max(1, Math.round(((below[1] + between * (above[1] - below[1])) * SECONDS_A_DART) / 60));
}

/** The number of players that it is for, such as `2–16`. */
export function playersOf({ players: [fewest, most] }: GameAbout): string {
  return fewest === most ? String(most) : `${fewest}–${most}`;
}

/** What the game is about in the page's language. */
export function wordsOf(game: GameAbout | undefined): Words | undefined {
  return game?.about?.[language];
}
