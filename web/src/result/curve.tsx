// The curve of a leg: what was left after each visit, a line for each side.
import { t } from "../text";
import type { ResultSide } from "../match";
import { curveOf } from "./result";

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
  return (
    <figure class="curve">
      <svg viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="axis" d={`M0 0V${HEIGHT}H${WIDTH}`} />
        {[...lines].reverse().map(({ name, points }, i) => (
          <path
            key={name}
            class={`line line-${lines.length - i}`}
            d={points.map((value, step) => `${step ? "L" : "M"}${x(step).toFixed(2)} ${y(value).toFixed(2)}`).join("")}
          />
        ))}
      </svg>
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
