// The public state of a match, as the retained topic `match` carries it. A page draws what it says and holds no rules.

export type Awaits = "roll" | "deck" | "throw" | "choose" | "move" | "combat" | "defend" | "next" | "nothing";

export interface Turn {
  player: string;
  /** Who must act now; most of the time the player. */
  actor: string;
  /** As thrown: `T20`, a zone, points, `FOUL`. */
  darts: string[];
  awaits: Awaits;
  /** The beds that a dart of which only the points are known may have hit. */
  candidates?: string[];
  /** Where each dart landed, if the board told. */
  at?: ([number, number] | null)[];
  /** What each dart was worth, in games of points. */
  points?: number[];
}

export interface Player {
  name: string;
  score: number;
  /** Played by the table, not by a person or bot. */
  house?: boolean;
  /** The team, from 1, where there are teams: its players share all that is counted. */
  team?: number;
}

export interface Match {
  match: string;
  revision: number;
  game: string;
  finished: boolean;
  winners: string[];
  turn: Turn;
  players: Player[];
  round?: number;
  /** What was agreed at the start. */
  options?: Record<string, unknown>;
  /** Players that the table plays, with the spread of their darts in mm. */
  bots?: Record<string, number>;
  /** Beds of contacts that may have been a second dart, or the first one again. */
  doubtful?: string[];
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
  model?: string;
  can?: Record<string, unknown>;
  stuck?: string[];
}

/** The retained topic `pairing`: what lets a player in. */
export interface Pairing {
  code: string;
  /** The page for a phone that takes the code. */
  url: string;
}

/** One of the retained topic `unconfirmed`: a user who was added with a code. */
export interface Newcomer {
  user: string;
  role: "display" | "player" | "referee";
  /** As they called themself. */
  name?: string;
  /** The address they came from. */
  from: string;
  time: string;
}

export interface NodeStatus {
  state: "online" | "offline";
  version?: string;
}

/** What just happened. */
export interface MatchEvent {
  id: string;
  event: string;
  [detail: string]: unknown;
}

export type Reply =
  { id: string; ok: true; revision: number } | { id: string; ok: false; reason: string; message?: string };

/** What a page sends: an action, or the start or stop of a match. */
export type Command = Record<string, unknown>;
