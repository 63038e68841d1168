// A player's name where it may be cut: the part that tells it from the names like it stays.
import { type Fixture, nameOf, type Tournament } from "./state";
import { w } from "./words";

/** Names that begin alike up to here look the same once they are cut. */
const ALIKE = 4;

/** From how many characters on a name has narrower letters, and the class for it. */
const LONG = [
  [20, "longer"],
  [15, "long"],
] as const;

/** The name in two parts, of which the first is cut first. The second begins with the word in which the name differs
 * from the most similar one, or within the first word. */
export function partsOf(name: string, others: readonly string[]): [string, string] {
  const alike = Math.max(0, ...others.filter((other) => other !== name).map((other) => sharedLength(name, other)));
  if (alike < ALIKE) return [name, ""];
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

export function Name({ tournament, number }: { tournament: Tournament; number: number | undefined }) {
  const name = nameOf(tournament, number);
  if (name === undefined) return <>…</>;
  const [start, end] = partsOf(
    name,
    tournament.entrants.map((entrant) => entrant.name),
  );
  return (
    <span class={["cup-name", LONG.find(([least]) => name.length >= least)?.[1]].filter(Boolean).join(" ")}>
      <span>{start}</span>
      <span>{end}</span>
    </span>
  );
}

/** A player of a match, or nobody. */
export function Side({
  tournament,
  fixture,
  side,
}: {
  tournament: Tournament;
  fixture: Fixture;
  side: "home" | "away";
}) {
  const number = fixture[side];
  const won = number !== undefined && number !== 0 && fixture.winner === number;
  return (
    <span class={won ? "won" : ""}>{number === 0 ? w("bye") : <Name tournament={tournament} number={number} />}</span>
  );
}
