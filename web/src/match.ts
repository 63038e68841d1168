// The public state of a match, as the retained topic `match` carries it. A page draws it and implements no rules.

export type Awaits = "roll" | "deck" | "throw" | "choose" | "move" | "combat" | "defend" | "next" | "nothing";

export interface Turn {
  player: string;
  /** The player who must act now; usually `player`. */
  actor: string;
  /** As thrown: `T20`, a zone, points, `FOUL`. */
  darts: string[];
  awaits: Awaits;
  /** The command that ends the turn now; missing while the turn cannot be ended. */
  ends?: "next" | "done";
  /** The beds that a dart of which only the points are known may have hit. */
  candidates?: string[];
  /** Where each dart landed, if the board reports positions. */
  at?: ([number, number] | null)[];
  /** The points of each dart, in games with points. */
  points?: number[];
  /** When the turn began, in a match with a clock. */
  began?: string;
  /** The darts that would finish, in X01. */
  checkout?: string[];
}

/** A turn whose darts can still be corrected. */
export interface EarlierTurn {
  back: number;
  player: string;
  darts: string[];
}

export interface Player {
  name: string;
  score: number;
  /** Played by the daemon, not by a person or bot. */
  house?: boolean;
  /** Where they throw, in a match on several boards. */
  board?: string;
  /** The team, from 1, if there are teams: its players share a score. */
  team?: number;
  /** The place in the final order, in games that have one. */
  place?: number;
  /** What was won in a match of several legs. */
  legs?: number;
  sets?: number;
}

/** A player or a team at the end of a leg, with the figures that the game counts. */
export interface ResultSide {
  name: string;
  score?: number | undefined;
  place?: number | undefined;
  legs?: number;
  sets?: number;
  /** What the score began with, where it is counted down. */
  start?: number;
  /** The points, or the marks, of each visit. */
  visits?: number[];
  darts?: number;
  average?: number;
  first_nine?: number;
  best_visit?: number;
  checkout_hits?: number;
  checkout_darts?: number;
  mpr?: number;
}

/** Who has won, as soon as the winning dart has landed. */
export interface MatchResult {
  of: "leg" | "set" | "match";
  winners: string[];
  /** The winning dart and its points. */
  bed?: string;
  points?: number;
  checkout?: number;
  leg_darts?: number;
  players?: ResultSide[];
}

export interface Match {
  match: string;
  revision: number;
  game: string;
  finished: boolean;
  winners: string[];
  turn: Turn;
  /** The turns before this one whose darts can be corrected, the last one first. */
  earlier?: EarlierTurn[];
  players: Player[];
  round?: number;
  /** In a medley the game of the leg; before a leg `bull_off` or `choice`. */
  playing?: string;
  /** What the match was started as, where `game` is what is played: set by `asPlayed`. */
  format?: string;
  /** The number of the leg, in games that have legs. */
  leg?: number;
  /** In several legs: how many win a set, and how many sets the match. */
  to_win?: { legs: number; sets?: number };
  /** The game's own title, if it has one. */
  title?: string;
  result?: MatchResult;
  /** The options of the match. */
  options?: Record<string, unknown>;
  /** Players that the daemon plays, with the spread of their darts in mm. */
  bots?: Record<string, number>;
  /** Bots that throw again what a player has thrown, and what their next dart comes from. */
  ghosts?: Record<string, "record" | "hand">;
  /** Beds of contacts that may have been a second dart, or the first one again. */
  doubtful?: string[];
  /** The chance of each player to win, 0 to 1; absent while it is unknown. */
  chance?: Record<string, number>;
  /** The other houses that play the match; `host` is the one that records it. */
  houses?: { node: string; state: "here" | "away" | "left"; host: boolean }[];
  /** Darts that the house which records the match has not confirmed. */
  sent?: string[];
}

/** A match that another house can accept, or has offered. */
export interface Invitation {
  code: string;
  game: string;
  players: string[];
  options: Record<string, unknown>;
  guests: string[];
  expires: string;
}

/** The retained topic `hand/<seat>`, with what the game adds. */
export interface Hand {
  match: string;
  revision: number;
  name: string;
  [secret: string]: unknown;
}

export interface BoardStatus {
  state: "online" | "offline" | "faulty";
  reason?: string;
  /** What is wrong and what to do, in English, with names of ports and files. */
  message?: string;
  model?: string;
  can?: Record<string, unknown>;
  stuck?: string[];
  /** What the board's screens are to play, as somebody has switched it. */
  screens?: Screens;
}

export interface Screens {
  sound?: boolean;
  caller?: boolean;
}

/** The retained topic `pairing`: the player's code and link. */
export interface Pairing {
  code: string;
  /** The page for a phone that takes the code. */
  url: string;
}

/** An entry of the retained topic `unconfirmed`: a user who was added with a code. */
export interface Newcomer {
  user: string;
  role: "display" | "player" | "referee";
  /** The name that they gave. */
  name?: string;
  /** The address they came from. */
  from: string;
  time: string;
}

export interface NodeStatus {
  state: "online" | "offline";
  version?: string;
  boards?: string[];
  instance?: string;
  /** Matches with other houses are configured. */
  houses?: boolean;
  /** What the journal can no longer read as it was written; each with a sentence in English. */
  damaged?: { message: string; match?: string }[];
}

/** What just happened. */
export interface MatchEvent {
  id: string;
  event: string;
  [detail: string]: unknown;
}

/** What rules of the configuration show and play: words, and names of files. */
export interface Shown {
  id: string;
  words?: string;
  picture?: string;
  sound?: string;
}

/** What the game's advice would do: aim at a point, or take an action. */
export interface Hint {
  /** The spread in mm for which it is meant. */
  skill: number;
  /** The target, its position in board radii, and the probability to hit it, 0 to 1. */
  aim?: { target: string; at: [number, number]; odds: number };
  action?: Command;
}

/** The handicap with which a match is fair, as far as the game allows, and the chance of each player with it. */
export interface Fair {
  handicap: Record<string, number>;
  /** Points to begin with, where the handicap alone is too coarse. */
  handicap_points?: Record<string, number>;
  chance: Record<string, number>;
  /** The standard error of the chances. */
  error: number;
  even: boolean;
  /** Too few matches could be played to know how even it is. */
  vague?: true;
}

export type Reply =
  | { id: string; ok: true; revision: number; hint?: Hint; fair?: Fair; invitation?: Invitation }
  | { id: string; ok: false; reason: string; message?: string };

/** What a page sends: an action, or the start or stop of a match. */
export type Command = Record<string, unknown>;

/** The state as the pages draw it: a medley as the game of its leg, and what is before a leg by a name of its own. */
export function asPlayed<M extends Match | undefined>(match: M): M {
  return match?.playing === undefined ? match : { ...match, game: match.playing, format: match.game };
}
