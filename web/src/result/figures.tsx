// The table of a result: a row for each side, a column for each figure that the state has.
import type { ResultSide } from "../match";
import { LONG_NAME } from "../games/players";
import { decimal, type Key, t } from "../text";

interface Column {
  label: Key;
  of(side: ResultSide): string | undefined;
}

function figure(value: number | undefined, digits: number): string | undefined {
  return value === undefined ? undefined : decimal(value, digits);
}

const COLUMNS: Column[] = [
  { label: "x01.sets", of: ({ sets }) => figure(sets, 0) },
  { label: "x01.legs", of: ({ legs }) => figure(legs, 0) },
  { label: "score", of: ({ score }) => figure(score, 0) },
  { label: "x01.average", of: ({ average }) => figure(average, 1) },
  { label: "x01.first_nine", of: ({ first_nine: nine }) => figure(nine, 1) },
  { label: "cricket.mpr", of: ({ mpr }) => figure(mpr, 2) },
  { label: "result.best", of: ({ best_visit: best }) => figure(best, 0) },
  {
    label: "result.doubles",
    of: ({ checkout_hits: hits, checkout_darts: darts }) =>
      hits === undefined || !darts ? undefined : `${hits}/${darts}`,
  },
  { label: "result.darts", of: ({ darts }) => figure(darts, 0) },
];

interface Props {
  sides: ResultSide[];
  won: number;
  /** What the scores count. */
  unit: Key;
  /** Columns that say nothing here, such as the sets of a match without sets. */
  without: Key[];
}

export function Figures({ sides, won, unit, without }: Props) {
  const columns = COLUMNS.filter(
    ({ label, of }) => !without.includes(label) && sides.some((side) => of(side) !== undefined),
  );
  return (
    <table
      class={sides.some(({ name }) => name.length > LONG_NAME) ? "figures long" : "figures"}
      style={{ "--rows": sides.length, "--columns": columns.length }}
    >
      <thead>
        <tr>
          <th scope="col">
            <span class="spoken">{t("result.players")}</span>
          </th>
          {columns.map(({ label }) => (
            <th key={label} scope="col">
              {t(label === "score" ? unit : label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sides.map((side, i) => (
          <tr key={side.name} class={i < won ? "won" : ""}>
            <th scope="row">{side.name}</th>
            {columns.map(({ label, of }) => (
              <td key={label}>{of(side) ?? "–"}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
