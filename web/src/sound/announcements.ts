// For each event: the word across the board, the sound, and the caller's announcement.
import type { MatchEvent } from "../match";
import { dartName, type Key, maybe, t } from "../text";
import { awardWord, onePerTurn, soundOfAward } from "./awards";
import type { Sound } from "./sounds";

const ANNOUNCED = new Set(["bust", "checkout", "leg", "set", "match", "out", "won", "alone", "conquest"]);
const MAXIMUM = 180;

const SOUNDS: Partial<Record<string, Sound>> = {
  bust: "bust",
  checkout: "checkout",
  match: "won",
  won: "won",
  alone: "won",
  conquest: "conquest",
  combat: "clash",
  out: "out",
  card: "card",
  deal: "card",
  roll: "dice",
};

export interface Announcement {
  id: string;
  text: string;
  kind: string;
  /** The winning dart with its points, and the checkout. */
  shot?: string | undefined;
  /** Not replaced by another event of the same state. */
  first?: { revision: unknown };
}

/** Names of places as people write them. */
export type Title = (place: string) => string;

/** After these actions, earlier decisions may change. */
const REOPENS = new Set(["dart", "undone", "corrected", "started"]);

/**
 * The announcement for each event; undefined for one without news.
 *
 * A leg that wins a set is announced as the set, and a set that wins the match as the match: `leg` and `set` both follow
 * the winning dart, even without sets. `decided` says of every game that this dart has won the match. `won` follows when
 * the darts are pulled, and then announces nothing new; the same applies to the Master of the World.
 * `only` tells whether one player is alone: nobody is beaten then.
 */
export function withoutRepeats(only: () => boolean): (event: MatchEvent) => MatchEvent | undefined {
  let decided = false;
  let shot: { dart?: unknown; points?: unknown; checkout?: unknown } = {};
  const announced = onePerTurn();
  return (event) => {
    if (!announced(event)) return undefined;
    const { event: kind, legs, sets, to_win: enough } = event;
    if (kind === "dart") shot = { dart: event.dart, points: event.points };
    if (kind === "checkout") shot = { ...shot, checkout: event.points };
    if (kind === "leg" && enough !== undefined && legs === enough) return undefined;
    if (kind === "decided" || (kind === "set" && enough !== undefined && sets === enough)) {
      if (decided) return undefined;
      decided = true;
      return only() ? { ...event, event: "alone" } : { ...event, event: "match", shot };
    }
    if (kind === "award" && event.award === "master_of_the_world") decided = true;
    if (kind === "won" && decided) return undefined;
    if (kind === "won" && only()) return { ...event, event: "alone" };
    if (REOPENS.has(kind)) decided = false;
    return kind === "leg" || kind === "set" ? { ...event, shot } : event;
  };
}

/** A word across the board, for special events. */
export function announcementOf(event: MatchEvent, title: Title): Announcement | undefined {
  const kind = event.event;
  if (kind === "score" && event.points === MAXIMUM) return { id: event.id, text: String(MAXIMUM), kind: "maximum" };
  if (kind === "award") {
    const text = awardWord(event.award, event.player);
    return text === undefined ? undefined : { id: event.id, text, kind: "award", first: { revision: event.revision } };
  }
  return ANNOUNCED.has(kind) ? { id: event.id, text: sentence(event, title), kind, shot: shotOf(event) } : undefined;
}

/** The winning dart with its points, and the checkout: "D20 · 40 · Checkout 121". */
function shotOf({ shot }: MatchEvent): string | undefined {
  const { dart, points, checkout } = (shot ?? {}) as Record<string, unknown>;
  if (typeof dart !== "string") return undefined;
  const parts = [dartName(dart)];
  if (typeof points === "number" && points > 0) parts.push(String(points));
  if (typeof checkout === "number") parts.push(t("result.checkout", { n: checkout }));
  return parts.join(" · ");
}

export function soundOf({ event, dart, points, award }: MatchEvent): Sound | undefined {
  if (event === "award") return soundOfAward(award);
  if (event === "dart") return dart === "MISS" || dart === "FOUL" ? "miss" : "dart";
  if (event === "score" && points === MAXIMUM) return "maximum";
  return SOUNDS[event];
}

/** The caller's announcement, or undefined. */
export function called(event: MatchEvent, title: Title): string | undefined {
  switch (event.event) {
    case "score":
      return typeof event.points === "number" ? String(event.points) : undefined;
    case "bust":
      return t("call.bust");
    case "turn":
      return t("call.turn", { name: String(event.player) });
    case "card":
      return t("call.card", { target: Number(event.target), times: Number(event.multiplier) });
    case "roll":
      return Array.isArray(event.targets) ? event.targets.map(targetName).join(", ") : undefined;
    case "checkout":
      return t("call.checkout", { name: String(event.player) });
    case "award": {
      const values = { name: String(event.player) };
      return maybe(`call.${String(event.award)}`, values) ?? awardWord(event.award, event.player);
    }
    case "match":
      // After "Game shot" the name is known.
      return (event.shot as { checkout?: unknown } | undefined)?.checkout === undefined
        ? sentence(event, title)
        : t("call.match");
    case "leg":
    case "set":
      return t(`call.${event.event}`);
    case "conquest":
    case "out":
    case "won":
    case "alone":
      return sentence(event, title);
    default:
      return undefined;
  }
}

function targetName(target: unknown): string {
  return target === "bull" ? t("bull") : target === "wild" ? t("cerberus.wild") : String(target);
}

function sentence({ event, ...about }: MatchEvent, title: Title): string {
  const winners = Array.isArray(about.winners) ? about.winners : [];
  const values = {
    name: String(about.player ?? winners.join(" & ")),
    owner: String(about.owner ?? ""),
    homeland: title(String(about.homeland ?? "")),
  };
  if (event === "conquest" && about.surrender) return t("flash.surrender", values);
  // The partners of a team win together; whether others share a match is said by its result.
  if (event === "won" && winners.length > 1) return t("won.shared", { names: values.name });
  return t(`flash.${event}` as Key, values);
}
