// A player's name where it may be cut: the part that tells it from the names like it stays.
import { partsOf } from "./name-parts";
import { type Fixture, nameOf, type Tournament } from "./state";
import { w } from "./words";

/** From how many characters on a name has narrower letters, and the class for it. */
const LONG = [
  [18, "longer"],
  [12, "long"],
] as const;

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
