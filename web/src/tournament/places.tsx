// Who has won, and in which order the others came, once a tournament is over.
import { Name } from "./name";
import { nameOf, type Tournament } from "./state";
import { w } from "./words";

/** So many names have room on a wall; a phone scrolls and has all. */
const MOST = 16;
/** Beside a table of all, the first of it. */
const FIRST = 3;
/** So few names that they can be larger. */
const FEW = 8;
/** A winner's name of more characters has smaller letters. */
const LONG = 18;

/** Those who share the places `from` to `to`. */
interface Place {
  from: number;
  to: number;
  entrants: number[];
}

export function Places({ tournament, withTable }: { tournament: Tournament; withTable: boolean }) {
  const places = placesOf(tournament.order ?? []);
  if (places.length === 0) return null;
  const name = nameOf(tournament, tournament.winner);
  const most = withTable ? FIRST : MOST;
  const others = name === undefined ? places : places.slice(1);
  const few = withTable || tournament.entrants.length <= FEW;
  return (
    <section class={few ? "cup-order few" : "cup-order"}>
      {name !== undefined && (
        <p class={name.length > LONG ? "cup-winner long-name" : "cup-winner"} role="status">
          <span>{w("winner")}</span> <b>{name}</b>
        </p>
      )}
      {others.length > 0 && (
        <table aria-label={w("order")}>
          {others.map((place) => (
            <tbody key={place.from} class={place.to > most ? "below" : ""}>
              {place.entrants.map((entrant, index) => (
                <tr key={entrant}>
                  {index === 0 && (
                    <th scope="rowgroup" rowSpan={place.entrants.length}>
                      {numbers(place)}
                    </th>
                  )}
                  <td>
                    <Name tournament={tournament} number={entrant} />
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      )}
    </section>
  );
}

function placesOf(order: number[][]): Place[] {
  let last = 0;
  return order.map((entrants) => {
    const from = last + 1;
    last += entrants.length;
    return { from, to: last, entrants };
  });
}

function numbers({ from, to }: Place): string {
  return from === to ? String(from) : `${from}–${to}`;
}
