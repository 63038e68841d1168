// The messages of this page alone, which the other pages do not load.
import en from "../messages/tournament.en.json";
import { language } from "../text";

export type Word = keyof typeof en;

const LANGUAGES: Record<typeof language, () => Promise<Record<Word, string>>> = {
  en: async () => en,
  de: async () => (await import("../messages/tournament.de.json")).default,
  fr: async () => (await import("../messages/tournament.fr.json")).default,
};

const WORDS = await LANGUAGES[language]().catch(() => en);

/** A message of the page with its `{names}` filled in. */
export function w(key: Word, values: Record<string, string | number> = {}): string {
  return WORDS[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
