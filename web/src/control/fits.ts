// What of a new match the rules would refuse, in words: seats, names and options.
import { t } from "../text";
import { type GameAbout, playersOf, titleOf } from "./catalogue";
import { optionTitle } from "./option";

/** Why these players cannot play this game; undefined if they can. */
export function wrongSeats(game: GameAbout, players: string[]): string | undefined {
  const [fewest, most] = game.players;
  if (players.length < fewest || players.length > most) {
    return t("start.seats", { game: titleOf(game), n: playersOf(game) });
  }
  const twice = players.find((name, i) => players.indexOf(name) !== i);
  return twice === undefined ? undefined : t("start.twice", { name: twice });
}

/** Which option has a value that the game does not take; undefined if none has. */
export function wrongOption(game: GameAbout, given: Record<string, unknown>): string | undefined {
  for (const option of [...game.options, ...(game.formats ?? [])]) {
    const value = given[option.name];
    const { type, minimum = -Infinity, maximum = Infinity } = option.schema;
    if (type !== "integer" || typeof value !== "number") continue;
    if (Number.isInteger(value) && value >= minimum && value <= maximum) continue;
    const range = maximum === Infinity ? `≥ ${minimum}` : `${minimum}–${maximum}`;
    return t("start.range", { option: optionTitle(option, game.name), range });
  }
  return undefined;
}

/** Why no more players can be added. */
export function fullTable(game: GameAbout, seats: number): string | undefined {
  return seats >= game.players[1] ? t("start.full", { game: titleOf(game), n: game.players[1] }) : undefined;
}
