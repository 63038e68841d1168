// The files of a pack with the names of players.
import { userOf } from "../control/user-name";

/** These files and those with the players' names; none if a name has no file, so that the whole part is spoken. */
export function named(files: string[], players: string[]): string[] {
  const names = players.map(playerFile).filter((name) => name !== undefined);
  return names.length === players.length ? [...files, ...names] : [];
}

/** The name of the file with a player's name: their user name; undefined for names that no file can have. */
export function playerFile(player: string): string | undefined {
  const user = userOf(player);
  return user === undefined ? undefined : `player_${user}`;
}
