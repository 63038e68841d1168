// What a view says, as words for the general scoreboard. `docs/displays.md` lists the words; a game registers nothing.
import type { Command, Match, Player, Turn } from "../../match";
import { dartName, decimal, labelled, maybe } from "../../text";

export type Target = string | number;

/** The words that pictures and buttons are made from. Every other one becomes a label with a value. */
export interface Spoken extends Match {
  title?: string;
  /** How many rounds there are at most. */
  rounds?: number;
  closed?: Target[];
  squares?: { target: Target; marks: Record<string, number>; owner?: string }[];
  columns?: Target[];
  grid?: string[][];
  card?: Target[];
  /** How many places the course has; the score of each player is their place on it. */
  track?: number;
  open?: Numbers;
  players: (Player & {
    lives?: number;
    marks?: Record<string, number>;
    marked?: Target[];
    sea?: Numbers;
    owned?: Numbers;
  })[];
  turn: Turn & {
    scored?: number;
    targets?: Target[];
    dangers?: Target[];
    called?: Target[];
    choices?: Command[];
    opening?: boolean;
  };
}

/** What is known of some numbers: a word of the game, or a number. */
export type Numbers = Record<string, string | number>;

export interface Fact {
  label: string;
  value: string;
}

/** Keys that every game has, or that have a picture of their own. */
const OF_MATCH = new Set([
  "match", "revision", "schema", "game", "title", "finished", "winners", "turn", "players", "round", "rounds",
  "options", "bots", "ghosts", "doubtful", "chance", "playing", "format", "to_win", "result", "closed", "squares", "columns", "grid", "track", "card", "open",
  "houses", "sent",
]); // prettier-ignore
const OF_TURN = new Set([
  "player", "actor", "darts", "awaits", "candidates", "at", "points", "scored", "targets", "dangers", "choices",
  "called", "bust", "opening", "ends",
]); // prettier-ignore
const OF_PLAYER = new Set([
  "name", "score", "house", "team", "board", "out", "place", "extra", "lives", "marks", "awards", "marked", "sea", "owned",
]); // prettier-ignore

/** What the match and its turn say beyond what every game says, as labels and values. After the end no turn matters. */
export function facts(match: Match): Fact[] {
  const { game, turn, finished } = match;
  return [...toFacts(match, OF_MATCH, game), ...(finished ? [] : toFacts(turn, OF_TURN, game))];
}

/** What a player's entry says beyond that. */
export function figures(player: Player): Fact[] {
  return toFacts(player, OF_PLAYER, "player");
}

/** A word can have a name of its own `where` it is: in a game, or for a player. */
function toFacts(entry: object, known: Set<string>, where: string): Fact[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    const shown = known.has(name) ? undefined : text(name, value);
    return shown === undefined ? [] : [{ label: maybe(`word.${where}.${name}`) ?? label(name), value: shown }];
  });
}

/** The name of a word in the page's language; an unknown one as the game wrote it. */
export function label(name: string): string {
  return maybe(`word.${name}`) ?? name.replaceAll("_", " ");
}

/** A value in words; undefined for false, and for what is empty or nested. */
function text(name: string, value: unknown): string | undefined {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? String(value) : decimal(value, 2);
    case "string":
      return maybe(`word.${name}.${value}`) ?? target(value);
    case "boolean":
      return value ? "✓" : undefined;
    default:
      return several(name, value);
  }
}

/** A list of plain values, or plain values by target, as the word says it; undefined for an empty one and for all else. */
function several(word: string, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const all: unknown[] = Object.values(value);
  if (all.length === 0 || all.some((one) => typeof one === "object")) return undefined;
  if (Array.isArray(value)) return value.map((one) => target(one as Target)).join(" ");
  return Object.entries(value)
    .map(([name, one]) => {
      const shown = one === "" ? "–" : String(one);
      return maybe(`word.${word}.each`, { n: shown, target: target(name) }) ?? labelled(target(name), shown);
    })
    .join(", ");
}

/** A bed, a number, or `bull`; inner and outer singles differ where a game says which it means. */
export function target(value: Target): string {
  return maybe(`word.target.${value}`) ?? dartName(String(value), true);
}
