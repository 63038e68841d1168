// A value over time with the band in which the truth is nine times in ten.
import { labelled, t } from "../../text";
import { number } from "../words";
import { steps } from "./scale";

interface Point {
  label: string;
  value: number;
  low: number;
  high: number;
}

const WIDTH = 420;
const HEIGHT = 220;
const LEFT = 44;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 28;

export function Band({ title, points }: { title: string; points: Point[] }) {
  const axis = steps(points.flatMap(({ low, high }) => [low, high]));
  const [least, most] = [axis[0] as number, axis.at(-1) as number];
  const x = (i: number) => LEFT + (i / Math.max(1, points.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - least) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const at = (value: number, i: number) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const upper = points.map(({ high }, i) => at(high, i));
  const lower = points.map(({ low }, i) => at(low, i)).reverse();
  const words = t("coach.months.spoken", { first: number(first.value, 1), last: number(last.value, 1) });
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={labelled(title, words)}>
        {axis.map((value) => (
          <g key={value}>
            <path class="grid" d={`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />
            <text class="tick" x={LEFT - 8} y={y(value)}>
              {number(value, 0)}
            </text>
          </g>
        ))}
        <path class="band" d={`M${[...upper, ...lower].join("L")}Z`} />
        <path class="curve-line" d={`M${points.map(({ value }, i) => at(value, i)).join("L")}`} />
        {points.map(({ value }, i) => (
          <circle key={i} class="dot" cx={x(i)} cy={y(value)} r={4} />
        ))}
        <text class="tick from" x={LEFT} y={HEIGHT - 8}>
          {first.label}
        </text>
        <text class="tick to" x={WIDTH - RIGHT} y={HEIGHT - 8}>
          {last.label}
        </text>
      </svg>
      <figcaption class="dust">{t("coach.months.help")}</figcaption>
    </figure>
  );
}
