// What of a new match the rules would refuse, in words: seats, names and options.
import { t } from "../text";
import { type GameAbout, playersOf, titleOf } from "./catalogue";
import { type Option, optionTitle } from "./option";

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
export function wrongOption(
  game: GameAbout,
  given: Record<string, unknown>,
  sides: string[],
  players: string[],
): string | undefined {
  const formats = game.formats ?? [];
  for (const option of [...game.options, ...formats]) {
    const value = given[option.name];
    const each = option.schema.additionalProperties;
    // What is given for each player, in a format also with teams; who is not in this match is not sent.
    const names = formats.includes(option) ? players : sides;
    const own = each ? Object.entries(value ?? {}).filter(([name]) => names.includes(name)) : [];
    const range = each
      ? own.map(([, one]) => wrongRange(each, one)).find((one) => one !== undefined)
      : wrongRange(option.schema, value);
    if (range !== undefined) return t("start.range", { option: optionTitle(option, game.name), range });
  }
  return undefined;
}

/** The range of a number that is outside of it; undefined if the value is none, or inside. */
function wrongRange({ type, minimum = -Infinity, maximum = Infinity }: Option["schema"], value: unknown) {
  if ((type !== "integer" && type !== "number") || typeof value !== "number") return undefined;
  if ((type === "number" || Number.isInteger(value)) && value >= minimum && value <= maximum) return undefined;
  return maximum === Infinity ? `≥ ${minimum}` : `${minimum}–${maximum}`;
}

/** Why no more players can be added. */
export function fullTable(game: GameAbout, seats: number): string | undefined {
  return seats >= game.players[1] ? t("start.full", { game: titleOf(game), n: game.players[1] }) : undefined;
}
