// The parts of a game's scoreboard. One file for each game; `index.ts` lists them. See `docs/displays.md`.
import type { ComponentChild } from "preact";
import type { Lit } from "../board/dartboard";
import type { PlacedDart } from "../board/darts";
import type { MapWindow } from "../board/map-window";
import type { Geometry } from "../geometry";
import type { Command, Hand, Match } from "../match";
import type { Fact } from "./words/view";

/** `M` is the public state of the game, with its own keys. */
export interface Scoreboard<M extends Match = Match> {
  /** What is lit on the dartboard. */
  lit?(match: M): Lit;
  /** Whether the last dart's points, from the state's `turn.points`, are shown large. */
  points?: boolean;
  /** The points of the turn according to the state, or a word instead; nothing where they have no sum. */
  turnPoints?(match: M): number | string | undefined;
  /** The match in one line, such as "501 · double out · best of 5"; else the game's title. */
  heading?(match: M): string;
  /** Whether the scores can have the whole screen, where a real board hangs beside it. */
  scoresAlone?: boolean;
  /** A picture instead of the dartboard. */
  Board?(props: BoardProps<M>): ComponentChild;
  /** The picture is as high as the screen, with the darts next to it. */
  wide?: boolean;
  /** Where the darts are, if not on the beds of the dartboard. */
  placed?(match: M, geometry: Geometry): PlacedDart[];
  /** The name of a dart of the turn, if it is not its bed. */
  dart?(match: M, geometry: Geometry, at: number): DartLabel;
  /** The meaning of a touch on the picture, if it is not the bed under it. */
  aim?(match: M, geometry: Geometry, x: number, y: number): Aimed;
  /** The part of the picture that matters now, which a phone shows large; undefined: all of it. */
  front?(match: M, geometry: Geometry): MapWindow | undefined;
  /** Everything next to the picture: the players with their scores, and what else the game shows. */
  Panel(props: { match: M; geometry: Geometry }): ComponentChild;
  /** What the control page asks for in addition to darts, such as a choice; null if nothing. */
  Control?(props: ControlProps<M>): ComponentChild;
  /** What the control page shows besides the board: what lies on the table. */
  Aside?(props: { match: M; geometry: Geometry }): ComponentChild;
  /** Asks for the two sides of a border, if a dart on a border differs from one in a bed. */
  Border?(props: BorderProps<M>): ComponentChild;
  /** What the turn waits for, if the game has its own words for it. */
  awaited?(match: M): string | undefined;
  /** What the result of one player alone says besides the score. */
  reached?(player: M["players"][number]): Fact[];
  /** Whether players have something that only they may see. */
  hands?(match: M): boolean;
}

export interface BoardProps<M extends Match> {
  match: M;
  geometry: Geometry;
  darts: PlacedDart[];
  /** The spot under the finger. */
  aimed?: string | undefined;
  /** The part of the picture that is shown; else all of it. */
  window?: MapWindow | undefined;
}

export interface ControlProps<M extends Match> {
  match: M;
  geometry: Geometry;
  send: (command: Command) => Promise<boolean>;
  busy: boolean;
  /** What only the player whose phone this is may see. */
  hand: Hand | undefined;
  /** The part of the picture that matters now. */
  front?: MapWindow | undefined;
}

export interface BorderProps<M extends Match> {
  match: M;
  geometry: Geometry;
  busy: boolean;
  onPick: (dart: unknown) => void;
}

/** A dart in words; `small` next to it, if there is room; `long` is set smaller. */
export interface DartLabel {
  text: string;
  small?: string;
  long?: boolean;
  /** A sign that the dart was used, or that it must still be used. */
  mark?: "used" | "owed";
}

/** A spot under a finger: its name, what it lights up, and the dart that it means. */
export interface Aimed {
  label: string;
  aimed: string;
  dart: unknown;
}
