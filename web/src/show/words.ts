// The messages of this page alone, which the other pages do not load.
import en from "../messages/show.en.json";
import { language } from "../text";

export type Word = keyof typeof en;

const LANGUAGES: Record<typeof language, () => Promise<Record<Word, string>>> = {
  en: async () => en,
  de: async () => (await import("../messages/show.de.json")).default,
  fr: async () => (await import("../messages/show.fr.json")).default,
};

const WORDS = await LANGUAGES[language]().catch(() => en);

/** A message of the page with its `{names}` filled in. */
export function w(key: Word, values: Record<string, string> = {}): string {
  return WORDS[key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A message that may not exist, such as the name of an event that only one game has. */
export function maybeWord(key: string): string | undefined {
  return key in en ? w(key as Word) : undefined;
}
