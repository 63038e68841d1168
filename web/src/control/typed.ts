// Typed darts as beds.

const WORDS = new Map([
  ["0", "MISS"],
  ["m", "MISS"],
  ["miss", "MISS"],
  ["25", "SB"],
  ["sb", "SB"],
  ["50", "DB"],
  ["db", "DB"],
  ["bull", "DB"],
]);

/** Each dart of a text, as it was typed. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

/** The beds of typed darts, or the first word that is none. "20" is a single. */
export function dartsOf(text: string): string[] | string {
  const found: string[] = [];
  for (const word of wordsOf(text.toLowerCase())) {
    const bed = WORDS.get(word) ?? bedOf(word);
    if (bed === undefined) return word;
    found.push(bed);
  }
  return found;
}

function bedOf(word: string): string | undefined {
  const [, ring = "s", number = ""] = /^([sdt]?)(\d{1,2})$/.exec(word) ?? [];
  const n = Number(number);
  return n >= 1 && n <= 20 ? `${(ring || "s").toUpperCase()}${n}` : undefined;
}
