// The scoreboard of a game that has none of its own: who plays, and their scores.
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

/** The game's name for people; for one that the pages do not know, its own name without the underscores. */
export function gameTitle(game: Match["game"]): string {
  return maybe(`game.${game}`) ?? game.replaceAll("_", " ").replace(/\b\w/g, (first) => first.toUpperCase());
}
