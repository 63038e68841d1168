// The tournament as the daemon publishes it, and what the page makes of it.

/** Under this name the browser keeps who its owner is in the list of entrants. */
export const MY_NAME = "oche.tournament.me";

interface From {
  winner?: string;
  loser?: string;
  group?: string;
  place?: number;
}

export interface Fixture {
  id: string;
  stage: string;
  round: number;
  from_end?: number;
  group?: string;
  best_of: number;
  game: string;
  state: "waits" | "ready" | "done" | "walkover" | "bye" | "void";
  home?: number;
  away?: number;
  home_from?: From;
  away_from?: From;
  winner?: number;
  score?: [number, number];
  /** The match went on at its board after others had ended; `board_score` is how it ended there. */
  reopened?: true;
  board_score?: [number, number];
  board?: string;
  late?: true;
}

export interface Row {
  place: number;
  entrant: number;
  played: number;
  legs: number;
  against: number;
  points: number;
}

export interface Tournament {
  id: string;
  name: string;
  format: string;
  state: "open" | "running" | "over";
  entrants: { number: number; name: string; withdrawn?: true }[];
  fixtures: Fixture[];
  tables: Record<string, Row[]>;
  winner?: number;
  /** The final order; those in one list share their places. */
  order?: number[][];
  ends?: string;
}

/** What has just happened, as the daemon publishes it. */
export interface TournamentEvent {
  id: string;
  event: "called" | "result";
  players: string[];
  board?: string;
}

/** Fixtures that somebody plays or has played: no byes. */
export function matchesOf({ fixtures }: Tournament): Fixture[] {
  return fixtures.filter(({ state }) => state !== "bye" && state !== "void");
}

export function nameOf({ entrants }: Tournament, number: number | undefined): string | undefined {
  return entrants.find((entrant) => entrant.number === number)?.name;
}

/** Whether all groups are over: the bracket then takes the place of the tables. */
export function groupsAreOver({ fixtures }: Tournament): boolean {
  return fixtures.every(({ group, state }) => group === undefined || (state !== "waits" && state !== "ready"));
}
