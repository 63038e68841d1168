// Typed darts as beds.

const WORDS: Record<string, string> = {
  "0": "MISS",
  m: "MISS",
  miss: "MISS",
  "25": "SB",
  sb: "SB",
  "50": "DB",
  db: "DB",
  bull: "DB",
};

/** The beds of typed darts, or the first word that is none. "20" is a single. */
export function dartsOf(text: string): string[] | string {
  const found: string[] = [];
  for (const word of text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const bed = WORDS[word] ?? bedOf(word);
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
