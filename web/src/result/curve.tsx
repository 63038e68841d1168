// The curve of a leg: what was left after each visit, a line for each side, with its last value.
import { decimal, t } from "../text";
import type { ResultSide } from "../match";
import { curveOf, tops } from "./result";

/** More lines than these cannot be told apart. */
const LINES = 4;

const WIDTH = 100;
const HEIGHT = 44;

export function Curve({ sides }: { sides: ResultSide[] }) {
  const lines = sides.slice(0, LINES).map((side) => ({ name: side.name, points: curveOf(side) }));
  const steps = Math.max(1, ...lines.map(({ points }) => points.length - 1));
  const top = Math.max(1, ...lines.flatMap(({ points }) => points));
  if (lines.every(({ points }) => points.length < 2)) return null;
  const x = (i: number) => (i / steps) * WIDTH;
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const ends = lines.map(({ points }) => points.at(-1) ?? 0);
  const places = tops(ends.map((value) => y(value) / HEIGHT));
  const first = lines[0]?.points[0] ?? 0;
  return (
    <figure class="curve">
      <div class="plot" aria-hidden="true">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" overflow="visible">
          <path class="axis" d={`M0 0V${HEIGHT}H${WIDTH}`} />
          {[...lines].reverse().map(({ name, points }, i) => (
            <path
              key={name}
              class={`line line-${lines.length - i}`}
              d={points
                .map((value, step) => `${step ? "L" : "M"}${x(step).toFixed(2)} ${y(value).toFixed(2)}`)
                .join("")}
            />
          ))}
        </svg>
        {first === top && <span class="at from">{decimal(first, 0)}</span>}
        {lines.map(({ name, points }, i) => (
          <span key={name} class={`at at-${i + 1}`} style={{ top: places[i], "--end": `${x(points.length - 1)}%` }}>
            {decimal(ends[i] ?? 0, 0)}
          </span>
        ))}
      </div>
      {/* The names are the same as in the table; the marks say which line is whose. */}
      <figcaption>
        <b>{t("result.curve")}</b>
        {lines.map(({ name }, i) => (
          <span key={name}>
            <svg class="key" viewBox="0 0 12 4" aria-hidden="true">
              <path class={`line line-${i + 1}`} d="M0 2H12" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
