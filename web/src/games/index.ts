// The scoreboards by the name of the game.
import { cerberus } from "./cerberus";
import { cricket } from "./cricket";
import { dards } from "./dards";
import { dartWars } from "./dart-wars";
import { generic } from "./generic";
import type { Scoreboard } from "./scoreboard";
import { x01 } from "./x01";
import { yatzyDart } from "./yatzy-dart";

const SCOREBOARDS: Record<string, Scoreboard> = {
  x01,
  cricket,
  cerberus,
  dards,
  yatzy_dart: yatzyDart,
  dart_wars: dartWars,
};

export function scoreboardOf(game: string): Scoreboard {
  return SCOREBOARDS[game] ?? generic;
}
