// What an idle screen knows of the evening: the last result, who has won how often, and the records of the house.
import type { MatchInfo, PlayerFigures } from "../history/request";

/** An evening ends at this hour of the next day. */
const MORNING = 6;

const ROWS = 5;

export interface Row {
  name: string;
  won: number;
  played: number;
}

export interface HouseRecord {
  kind: "checkout" | "maximums" | "leg" | "mpr";
  value: number;
  name: string;
}

/** The newest match that was played to its end. */
export function lastResult(matches: MatchInfo[]): MatchInfo | undefined {
  return matches.find(({ result, winners, damaged }) => result === "finished" && !damaged && winners?.length);
}

/** When this evening began: the last time that the clock showed the morning's hour. */
export function eveningOf(now: Date): Date {
  const began = new Date(now);
  began.setHours(MORNING, 0, 0, 0);
  if (began > now) began.setDate(began.getDate() - 1);
  return began;
}

/** The people who have finished a match this evening, most wins first, at most five; bots have no place. */
export function tableOf(matches: MatchInfo[], now: Date): Row[] {
  const rows = new Map<string, Row>();
  const began = eveningOf(now);
  for (const { started, result, players, winners = [], bots = {}, damaged } of matches) {
    if (result !== "finished" || damaged || new Date(started) < began) continue;
    for (const name of players) {
      if (name in bots) continue;
      const row = rows.get(name) ?? { name, won: 0, played: 0 };
      // One player alone beats nobody.
      const won = players.length > 1 && winners.includes(name);
      rows.set(name, { name, won: row.won + Number(won), played: row.played + 1 });
    }
  }
  const better = (a: Row, b: Row) => b.won - a.won || a.played - b.played || a.name.localeCompare(b.name);
  return [...rows.values()].sort(better).slice(0, ROWS);
}

/** The best of each kind over all players; of equals the first one. */
export function recordsOf(players: PlayerFigures[]): HouseRecord[] {
  const kinds: [HouseRecord["kind"], (player: PlayerFigures) => number | undefined, 1 | -1][] = [
    ["checkout", ({ x01 }) => x01?.best_checkout, 1],
    ["maximums", ({ x01 }) => x01?.tons["180"], 1],
    ["leg", ({ x01 }) => x01?.best_leg, -1],
    ["mpr", ({ cricket }) => cricket?.best_mpr, 1],
  ];
  return kinds.flatMap(([kind, of, sign]) => {
    const found = players.flatMap((player) => {
      const value = of(player);
      return value ? [{ kind, value, name: player.name }] : [];
    });
    const [best] = found.sort((a, b) => sign * (b.value - a.value));
    return best ? [best] : [];
  });
}

/** Whether a clock's hour and minute lie between two others, also over midnight; never for an empty span. */
export function isNight(span: string[], now: Date): boolean {
  const [from, to] = span;
  if (from === undefined || to === undefined || from === to) return false;
  const clock = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  return from < to ? clock >= from && clock < to : clock >= from || clock < to;
}
