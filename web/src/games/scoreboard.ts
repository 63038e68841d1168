// What a game brings to the pages. One file a game; `index.ts` lists them. `docs/displays.md` shows how.
import type { ComponentChild } from "preact";
import type { Lit } from "../board/dartboard";
import type { PlacedDart } from "../board/darts";
import type { Geometry } from "../geometry";
import type { Command, Hand, Match } from "../match";

/** `M` is the public state of the game, with the keys of its own. */
export interface Scoreboard<M extends Match = Match> {
  /** What is lit on the dartboard. */
  lit?(match: M): Lit;
  /** Whether the last dart's worth, of the state's `turn.points`, is shown big. */
  points?: boolean;
  /** What the darts of this turn are worth together, as the state says it; or a word instead. */
  turnPoints?(match: M): number | string;
  /** A picture in the place of the dartboard. */
  Board?(props: BoardProps<M>): ComponentChild;
  /** The picture is as high as the screen, and the darts stand beside it. */
  wide?: boolean;
  /** Where the darts are, if not on the beds of the dartboard. */
  placed?(match: M, geometry: Geometry): PlacedDart[];
  /** What a dart of the turn is called, if not by its bed. */
  dart?(match: M, geometry: Geometry, at: number): DartLabel;
  /** What a finger on the picture means, if not the bed under it. */
  aim?(match: M, geometry: Geometry, x: number, y: number): Aimed;
  /** Everything beside the picture: the players with their scores, and what else the game shows. */
  Panel(props: { match: M; geometry: Geometry }): ComponentChild;
  /** What the control page asks for in this game beside darts, such as a choice; null where there is nothing. */
  Control?(props: ControlProps<M>): ComponentChild;
  /** Asks for the sides of a border, where a dart on one is another than a dart in a bed. */
  Border?(props: BorderProps<M>): ComponentChild;
  /** What the turn waits for, where the game has its own words for it. */
  awaited?(match: M): string | undefined;
  /** Whether players hold something that only they may see. */
  hands?(match: M): boolean;
}

export interface BoardProps<M extends Match> {
  match: M;
  geometry: Geometry;
  darts: PlacedDart[];
  /** What is under a finger. */
  aimed?: string | undefined;
}

export interface ControlProps<M extends Match> {
  match: M;
  geometry: Geometry;
  send: (command: Command) => Promise<boolean>;
  busy: boolean;
  /** What the player whose phone this is may see, and nobody else. */
  hand: Hand | undefined;
}

export interface BorderProps<M extends Match> {
  match: M;
  geometry: Geometry;
  busy: boolean;
  onPick: (dart: unknown) => void;
}

/** A dart in words; `small` beside it, where there is room; `long` is set smaller. */
export interface DartLabel {
  text: string;
  small?: string;
  long?: boolean;
  /** A sign of what has become of it: it was used, or it must still be. */
  mark?: "used" | "owed";
}

/** A spot under a finger: what it is called, what it lights up, and the dart that it stands for. */
export interface Aimed {
  label: string;
  aimed: string;
  dart: unknown;
}
