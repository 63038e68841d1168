// How much of a phone held upright is above and below its touch board: the board takes what is left.
import { scoreboardOf } from "../games";
import { sidesOf } from "../games/players";
import type { Match } from "../match";
import { hasMarks } from "./marks";

/** The maximum of scores that fit side by side. */
const COLUMNS = 4;

/** The rows of the scores at the top, and how many are in each. */
export function scoreRows(match: Match): { rows: number; columns: number } {
  const sides = sidesOf(match.players).length;
  const rows = Math.ceil(sides / COLUMNS);
  return { rows, columns: Math.ceil(sides / rows) };
}

/** A line of facts, the head of a table, and one of its lines, in px. */
const FACTS = 34;
const TABLE_HEAD = 30;
const TABLE_LINE = 25;

/** Up to so many lines of a table are seen without scrolling. */
const LINES = 4;

/** What must be seen below the board, in px. */
function below(match: Match): number {
  if (hasMarks(match)) return TABLE_HEAD + TABLE_LINE * Math.min(LINES, sidesOf(match.players).length);
  return scoreboardOf(match.game).Aside ? FACTS : 0;
}

/** The variables of control-room.css. */
export function roomOf(match: Match): Record<string, string | number> {
  return { "--rows": scoreRows(match).rows, "--below": `${below(match)}px` };
}
