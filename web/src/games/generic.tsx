// The scoreboard of a game without its own: players and scores.
import type { Match } from "../match";
import { maybe } from "../text";
import { Head, Players } from "./players";
import type { Scoreboard } from "./scoreboard";

export const generic: Scoreboard = {
  Panel({ match }) {
    return (
      <>
        <Head title={gameTitle(match.game)} match={match} />
        <Players match={match} players={match.players} />
      </>
    );
  },
};

/** The game's title; for an unknown game, its name without the underscores. */
export function gameTitle(game: Match["game"]): string {
  return maybe(`game.${game}`) ?? game.replaceAll("_", " ").replace(/\b\w/g, (first) => first.toUpperCase());
}
