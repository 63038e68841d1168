// What a game brings to the scoreboard page. One file a game; `index.ts` lists them. `docs/displays.md` shows how.
import type { ComponentChild } from "preact";
import type { Lit } from "../board/dartboard";
import type { Command, Match } from "../match";

/** `M` is the public state of the game, with the keys of its own. */
export interface Scoreboard<M extends Match = Match> {
  /** What is lit on the dartboard. */
  lit?(match: M): Lit;
  /** Whether the last dart's worth is shown big: in games where a bed is worth its points. */
  points?: boolean;
  /** What the darts of this turn are worth together, as the state says it; or a word instead. */
  turnPoints?(match: M): number | string;
  /** Everything beside the dartboard: the players with their scores, and what else the game shows. */
  Panel(props: { match: M }): ComponentChild;
  /** What the control page asks for in this game beside darts, such as a choice; null where there is nothing. */
  Control?(props: { match: M; send: (command: Command) => void; busy: boolean }): ComponentChild;
}
