// The tables of a tournament: those of its groups, or the only one.
import { Name } from "./name";
import type { Row, Tournament } from "./state";
import { w } from "./words";

/** The number of rows that a wall shows of a table, or of a part of one. */
const ROWS = 16;
/** Into at most so many parts the only table of a tournament is cut, which a wall shows side by side. */
const PARTS = 4;
/** With more parts a wall shows names and points alone. */
const WHOLE_PARTS = 2;
/** The same for tables. */
const MANY = 6;
/** With more tables a tall wall has four columns as well. */
const CROWDED = 18;
/** Up to this many lines of tables, with two for each head, have one column on a tall wall. */
const SPREAD = 26;

export function Tables({ tournament }: { tournament: Tournament }) {
  const tables = partsOfTables(tournament);
  const lines = tables.reduce((sum, { rows }) => sum + rows.length + 2, 0);
  const beside = tables.length > 1 ? 2 : 1;
  const parts = Object.keys(tournament.tables).length === 1;
  const sizes = [
    tables.length > (parts ? WHOLE_PARTS : MANY) && "many",
    tables.length > CROWDED && "crowded",
    lines <= SPREAD && "spread",
    parts && "parts",
  ];
  return (
    <section
      class={["cup-tables", ...sizes].filter(Boolean).join(" ")}
      style={{ "--lines": Math.ceil(lines / beside) }}
    >
      {tables.map(({ title, rows }) => (
        <table key={title}>
          <caption>{title}</caption>
          <thead>
            <tr>
              <td />
              <td />
              <th scope="col">{w("played.short")}</th>
              <th scope="col">{w("legs")}</th>
              <th scope="col">{w("points")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={row.entrant} class={index < ROWS ? "" : "below"}>
                <td>{row.place}</td>
                <th scope="row">
                  <Name tournament={tournament} number={row.entrant} />
                </th>
                <td>{row.played}</td>
                <td>{`${row.legs}:${row.against}`}</td>
                <td>{row.points}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

interface TablePart {
  title: string;
  rows: Row[];
}

/** The tables of the groups; the only one of a tournament in parts side by side, so that a wall shows more of it. */
function partsOfTables({ tables }: Tournament): TablePart[] {
  const groups = Object.entries(tables);
  const [only] = groups;
  if (!only || groups.length > 1) {
    return groups.map(([name, rows]) => ({ title: w("group", { name }), rows }));
  }
  const [, rows] = only;
  if (rows.length <= ROWS) return [{ title: w("table"), rows }];
  const count = Math.min(PARTS, Math.ceil(rows.length / ROWS));
  return Array.from({ length: count }, (_, part) => {
    const from = part * ROWS;
    const shown = rows.slice(from, part === PARTS - 1 ? undefined : from + ROWS);
    return { title: `${w("table")}, ${from + 1}–${from + shown.length}`, rows: shown };
  });
}
