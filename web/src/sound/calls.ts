// What the caller says of each event, in parts that are files of a pack or words for the browser's voice.
import type { Match, MatchEvent } from "../match";
import { t } from "../text";
import { called, type Title } from "./announcements";
import type { Call, Part } from "./call-queue";
import { named } from "./player-file";

/** What is left at most while the caller says what a player requires. */
const REQUIRES_FROM = 170;
/** From this number on the marks of a turn are an award, which has its own call. */
const MARKS_OF_AWARDS = 5;

const PRIORITY: Partial<Record<string, number>> = {
  match: 5,
  won: 5,
  alone: 5,
  set: 4,
  leg: 4,
  checkout: 4,
  conquest: 4,
  out: 4,
  award: 3,
  bust: 3,
  score: 2,
  turn: 1,
};
/** Words of a rule: the owner wrote them, so they go before a score. */
const RULE_PRIORITY = 3;

/** The call for an event; undefined if the caller says nothing. `match` is the state after it. */
export function callOf(event: MatchEvent, title: Title, match: Match | undefined): Call | undefined {
  const text = called(event, title);
  const own = text === undefined ? [] : partsOf(event, text);
  const parts = event.event === "turn" ? [...own, ...required(event, match)] : own;
  const game = match?.game;
  return parts.length
    ? { parts: parts.map((part) => ofGame(part, game)), priority: PRIORITY[event.event] ?? 1 }
    : undefined;
}

function partsOf(event: MatchEvent, text: string): Part[] {
  const player = typeof event.player === "string" ? [event.player] : [];
  switch (event.event) {
    case "score":
      return scoreParts(event, text);
    case "turn":
      return [{ text, files: named([], player) }];
    case "checkout":
      return [{ text, files: named(["game_shot"], player) }];
    case "award":
      return [{ text, files: [String(event.award)] }];
    case "card":
      return [{ text, files: [String(event.target), `times_${String(event.multiplier)}`] }];
    case "roll":
      return [{ text, files: Array.isArray(event.targets) ? event.targets.map(String) : [] }];
    case "won":
    case "out":
    case "conquest":
      return [{ text, files: named([event.event], Array.isArray(event.winners) ? event.winners.map(String) : player) }];
    default:
      return [{ text, files: [event.event] }];
  }
}

/** The points of a turn, or its marks in games that count those; marks from five on are called by their award. */
function scoreParts({ points, marks }: MatchEvent, text: string): Part[] {
  if (typeof marks !== "number") return [{ text, files: [String(points)] }];
  if (marks >= MARKS_OF_AWARDS) return [];
  const words = marks === 0 ? t("call.no_marks") : t(marks === 1 ? "call.mark" : "call.marks", { n: marks });
  return [{ text: words, files: [`marks_${marks}`] }];
}

/** "You require 40", if the player whose turn begins can finish in it. */
function required({ player }: MatchEvent, match: Match | undefined): Part[] {
  const turn = match?.turn as { player: string; checkout?: string[] } | undefined;
  const left = match?.players.find(({ name }) => name === player)?.score;
  if (turn?.player !== player || !turn?.checkout?.length || left === undefined || left > REQUIRES_FROM) return [];
  return [{ text: t("call.require", { n: left }), files: ["you_require", String(left)] }];
}

/** A pack can have a game's own words: `cricket.score` or `cricket.180` go before those for every game. */
function ofGame(part: Part, game: string | undefined): Part {
  return game === undefined ? part : { ...part, files: part.files.map((file) => `${game}.${file}|${file}`) };
}

/** The call for the words of a rule. */
export function callOfRule(words: string): Call {
  return { parts: [{ text: words, files: [] }], priority: RULE_PRIORITY };
}
