// Where a name that has no room is cut.
/** Names that begin alike up to here look the same once they are cut. */
const ALIKE = 4;

/** The name in two parts, of which the first is cut first. The second begins with the word in which the name differs
 * from the most similar one, or within the first word. */
export function partsOf(name: string, others: readonly string[]): [string, string] {
  const alike = Math.max(0, ...others.filter((other) => other !== name).map((other) => sharedLength(name, other)));
  if (alike < ALIKE) return [name, ""];
  // The similar name ends, or differs, where a word of this one begins.
  if (name[alike] === " ") return [name.slice(0, alike), name.slice(alike)];
  const word = Math.max(name.lastIndexOf(" ", alike - 1), name.lastIndexOf("-", alike - 1)) + 1;
  const at = word > 0 ? word : alike - 1 - Number(isLowSurrogate(name, alike - 1));
  return [name.slice(0, at), name.slice(at)];
}

/** Whether a cut here would be within a character. */
function isLowSurrogate(name: string, at: number): boolean {
  return (name.charCodeAt(at) & 0xfc00) === 0xdc00;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
