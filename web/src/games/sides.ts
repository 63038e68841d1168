// Who shares a score.
import type { Player } from "../match";

/** The players who share a score: a team in throwing order, everyone else alone. */
export function sidesOf<P extends Player>(players: P[]): [P, ...P[]][] {
  const sides = new Map<string | number, [P, ...P[]]>();
  for (const player of players) {
    const side = sides.get(player.team ?? player.name);
    if (side) side.push(player);
    else sides.set(player.team ?? player.name, [player]);
  }
  return [...sides.values()];
}
