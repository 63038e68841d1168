// The scoreboards there are, by the name of the game.
import { cerberus } from "./cerberus";
import { cricket } from "./cricket";
import { generic } from "./generic";
import type { Scoreboard } from "./scoreboard";
import { x01 } from "./x01";

const SCOREBOARDS: Record<string, Scoreboard> = { x01, cricket, cerberus };

export function scoreboardOf(game: string): Scoreboard {
  return SCOREBOARDS[game] ?? generic;
}
