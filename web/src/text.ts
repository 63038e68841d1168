// The messages in the page's language: `?lang=de`, else the last choice, else the browser's preference.
import type { ENGLISH } from "./messages/english";
import { getStored, setStored } from "./storage";

export type Key = keyof typeof ENGLISH;

type Messages = Record<Key, string>;

interface Texts {
  default: Messages;
  SAID: Record<"places" | "reasons", Record<string, string>>;
}

/** Each language is loaded when a page wants it. A missing message is a compile error. */
const LANGUAGES = {
  en: async (): Promise<Texts> => import("./messages/english"),
  de: async (): Promise<Texts> => import("./messages/german"),
  fr: async (): Promise<Texts> => import("./messages/french"),
};

type Language = keyof typeof LANGUAGES;

export const NAMES: Record<Language, string> = { en: "English", de: "Deutsch", fr: "Français" };

const STORED = "oche.language";

function isLanguage(text: string | null): text is Language {
  return text !== null && text in LANGUAGES;
}

function wanted(): Language {
  const asked = [new URLSearchParams(location.search).get("lang"), getStored(STORED)];
  const browser = navigator.languages.map((tag) => tag.slice(0, 2));
  return [...asked, ...browser].find(isLanguage) ?? "en";
}

export const language: Language = wanted();

/** English where the file of another language does not arrive. */
const { default: MESSAGES, SAID } = await LANGUAGES[language]().catch(LANGUAGES.en);

export function chooseLanguage(chosen: string): void {
  setStored(STORED, chosen);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  location.replace(address);
}

/** The message with its `{names}` filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return MESSAGES[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A message that may not exist, such as the name of a game without its own scoreboard. */
export function maybe(key: string, values: Record<string, string | number> = {}): string | undefined {
  return key in MESSAGES ? t(key as Key, values) : undefined;
}

/** The name of a place of a map; `title` is the English one. */
export function placeName(place: string, title: string): string {
  return SAID.places[place] ?? title;
}

/** Why something was refused. `about` is what was asked, where that has a sentence of its own. */
export function refusalText({ reason = "", message }: { reason?: string; message?: string }, about = ""): string {
  return SAID.reasons[`${about}.${reason}`] ?? SAID.reasons[reason] ?? message ?? reason;
}

/** A number in the language's format. */
export function decimal(value: number, digits: number): string {
  return number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A share of 1 in percent: each language has its own gap before the sign. */
export function percent(share: number, digits = 0): string {
  return number(share, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A score as it stands, also one below 0. */
export function points(value: number): string {
  return number(value, { useGrouping: false });
}

/** A number that is added to a sum, with its sign. */
export function added(value: number): string {
  return number(value, { signDisplay: "exceptZero", useGrouping: false });
}

/** With a minus as long as a plus, where the language's own is a hyphen. */
function number(value: number, format: Intl.NumberFormatOptions): string {
  return value.toLocaleString(language, format).replace("-", "−");
}

/** A name and what it is, with the gap before the colon that French has. */
export function labelled(name: string, value: string): string {
  return `${name}${language === "fr" ? "\u00a0" : ""}: ${value}`;
}

/** Digits to be read out or typed, in two halves. */
export function inHalves(code: string): string {
  const half = Math.ceil(code.length / 2);
  return `${code.slice(0, half)}\u00a0${code.slice(half)}`;
}

/** A dart as players call it: `25`, `Bull`, `Miss`, and a single without saying which half unless it matters. */
export function dartName(text: string, halves = false): string {
  const single = /^S([IO])(\d+)$/.exec(text);
  if (single) return halves ? `S${single[2]} ${single[1] === "I" ? "↓" : "↑"}` : `S${single[2]}`;
  return { SB: "25", DB: t("bull"), MISS: t("miss"), FOUL: t("foul") }[text] ?? text;
}
