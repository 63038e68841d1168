// The picture of a game with its darts: the dartboard, or the game's own.
import { scoreboardOf } from "../games";
import type { DartLabel } from "../games/scoreboard";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { dartName } from "../text";
import { Dartboard } from "./dartboard";
import { placed } from "./darts";

const DARTS = 3;

interface Props {
  match: Match;
  geometry: Geometry;
  aimed?: string | undefined;
  /** Beds that the board reports as stuck. */
  stuck?: string[] | undefined;
}

export function Picture({ match, geometry, aimed, stuck }: Props) {
  const { Board, lit, placed: own } = scoreboardOf(match.game);
  const darts = own?.(match, geometry) ?? placed(match.turn, geometry);
  if (Board) return <Board match={match} geometry={geometry} darts={darts} aimed={aimed} />;
  const shown = match.finished ? {} : lit?.(match);
  return <Dartboard geometry={geometry} lit={shown} darts={darts} aimed={aimed} stuck={stuck} />;
}

/** The name of each dart of the turn, with empty places for the darts that are not thrown yet. */
export function dartLabels(match: Match, geometry: Geometry): (DartLabel | undefined)[] {
  const { dart } = scoreboardOf(match.game);
  return Array.from({ length: Math.max(DARTS, match.turn.darts.length) }, (_, i) => {
    const text = match.turn.darts[i];
    if (text === undefined) return undefined;
    return dart?.(match, geometry, i) ?? { text: dartName(text) };
  });
}
