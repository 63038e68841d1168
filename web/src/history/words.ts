// Words and numbers of the history: the format of a match, days and times, averages.
import { dartName, decimal, type Key, language, maybe, percent as share, t } from "../text";
import type { MatchInfo } from "./request";

/** The page's language as the browser prefers it: its dates differ between countries. */
const LOCALE = navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;

export function when(time: string): string {
  return new Date(time).toLocaleString(LOCALE, { dateStyle: "medium", timeStyle: "short" });
}

export function timeOf(time: string): string {
  return new Date(time).toLocaleTimeString(LOCALE, { timeStyle: "short" });
}

export function shortDate(time: string): string {
  return new Date(time).toLocaleDateString(LOCALE, { day: "numeric", month: "short", year: "2-digit" });
}

/** `2026-11` in the page's language. */
export function monthName(month: string): string {
  return new Date(`${month}-15T12:00:00Z`).toLocaleDateString(LOCALE, { month: "short", year: "2-digit" });
}

/** The day of a time: today, yesterday, or its date. */
export function dayOf(time: string): string {
  const [day, today] = [midnight(new Date(time)), midnight(new Date())];
  if (day.getTime() === today.getTime()) return t("past.when.today");
  today.setDate(today.getDate() - 1);
  if (day.getTime() === today.getTime()) return t("past.yesterday");
  return day.toLocaleDateString(LOCALE, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

export function midnight(time: Date): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate());
}

/** What the options say of the format, as the scoreboard says it: "501 · best of 3". */
export function formatOf({ game, options, players }: Pick<MatchInfo, "game" | "options" | "players">): string {
  const parts: string[] = [];
  if (game === "x01") parts.push(String(options.start ?? 501));
  const best = options.best_of;
  const { legs, sets } = (typeof best === "object" && best !== null ? best : options) as Record<string, unknown>;
  if (typeof best === "number") parts.push(t("x01.best_of", { n: best }));
  const [kind, needed] = Number(sets) > 1 ? (["_sets", Number(sets)] as const) : (["", Number(legs)] as const);
  const two = (Number(options.teams) || players.length) === 2;
  if (needed > 1) {
    parts.push(two ? t(`x01.best_of${kind}`, { n: 2 * needed - 1 }) : t(`x01.first_to${kind}`, { n: needed }));
  }
  if (options.teams) parts.push(t("past.format.teams"));
  return parts.join(" · ");
}

export function number(value: number | undefined, digits = 2): string {
  return value === undefined ? "" : decimal(value, digits);
}

export function percent(value: number | undefined, digits = 1): string {
  return value === undefined ? "" : share(value / 100, digits);
}

const RATES = new Set(["hit_rate", "checkout_rate"]);

/** Means keep their digits, whatever they come to. */
const MEANS = /average|first_nine|mpr|^mean_|_per_/;

/** The name of a figure that a game counts; one of another package has the name that it gave. */
export function figureName(figure: string): string {
  return maybe(`past.figure.${figure}`) ?? figure.replaceAll("_", " ");
}

export function figureValue(figure: string, value: number | string): string {
  if (typeof value === "string") return maybe(`word.${figure}.${value}`) ?? value;
  if (RATES.has(figure)) return percent(value);
  return Number.isInteger(value) && !MEANS.test(figure) ? decimal(value, 0) : decimal(value, 2);
}

export function many(key: "past.count" | "past.times", n: number): string {
  return n === 1 ? t(`${key}.one` as Key) : t(key, { n: decimal(n, 0) });
}

/** A bed with the half of a single: a heat map has both. */
export function bedName(bed: string): string {
  const [, half, n] = /^S([IO])(\d+)$/.exec(bed) ?? [];
  return n === undefined ? dartName(bed) : t(half === "I" ? "past.inner" : "past.outer", { bed: `S${n}` });
}
