// What the pages say, in the reader's language: `?lang=de`, what was chosen before, or what the browser prefers.
import en from "./messages/en.json";
import pastEn from "./messages/history.en.json";

const ENGLISH = { ...en, ...pastEn };

export type Key = keyof typeof ENGLISH;

type Messages = Record<Key, string>;

/** The others are fetched where they are read. A language that lacks a message of the English ones does not compile. */
const LANGUAGES = {
  en: async (): Promise<Messages> => ENGLISH,
  de: async (): Promise<Messages> => (await import("./messages/german")).default,
  fr: async (): Promise<Messages> => (await import("./messages/french")).default,
};

type Language = keyof typeof LANGUAGES;

export const NAMES: Record<Language, string> = { en: "English", de: "Deutsch", fr: "Français" };

const STORED = "oche.language";

function isLanguage(text: string | null): text is Language {
  return text !== null && text in LANGUAGES;
}

function wanted(): Language {
  const asked = [new URLSearchParams(location.search).get("lang"), localStorage.getItem(STORED)];
  const browser = navigator.languages.map((tag) => tag.slice(0, 2));
  return [...asked, ...browser].find(isLanguage) ?? "en";
}

export const language: Language = wanted();

/** A daemon that is away just now gives English, not an empty page. */
const MESSAGES: Messages = await LANGUAGES[language]().catch(() => ENGLISH);

export function chooseLanguage(chosen: string): void {
  localStorage.setItem(STORED, chosen);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  location.replace(address);
}

/** The message with its `{names}` filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return MESSAGES[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A message that may not exist, such as the name of a game that has no board of its own yet. */
export function maybe(key: string, values: Record<string, string | number> = {}): string | undefined {
  return key in ENGLISH ? t(key as Key, values) : undefined;
}

/** A number as the language writes it. */
export function decimal(value: number, digits: number): string {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A dart as players call it: `25`, `Bull`, `Miss`, and a single without saying which half unless it matters. */
export function dartName(text: string, halves = false): string {
  const single = /^S([IO])(\d+)$/.exec(text);
  if (single) return halves ? `S${single[2]} ${single[1] === "I" ? "↓" : "↑"}` : `S${single[2]}`;
  return { SB: "25", DB: t("bull"), MISS: t("miss"), FOUL: t("foul") }[text] ?? text;
}
