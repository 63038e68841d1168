// A line over time in SVG. Why no library draws it is in docs/dependencies.md.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../text";
import { smoothed, steps } from "./scale";

export interface Point {
  /** When: a day or a month. */
  label: string;
  value: number;
  /** The match, if it is one. */
  href?: string;
}

interface Props {
  title: string;
  points: Point[];
  format: (value: number) => string;
  /** Whether a second line smooths the first one. */
  smooth: boolean;
}

const HEIGHT = 220;
const LEFT = 44;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 26;
/** A mean needs more points than it is made of. */
const WINDOW = 5;

export function LineChart({ title, points, format, smooth }: Props) {
  const [box, width] = useWidth();
  const [near, setNear] = useState<number>();
  const values = points.map(({ value }) => value);
  const axis = steps(values);
  const [low, high] = [axis[0] as number, axis.at(-1) as number];
  const x = (i: number) => LEFT + (i / Math.max(1, points.length - 1)) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const line = (some: number[]) =>
    some.map((value, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const smoothing = smooth && points.length > WINDOW;
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return <p class="dust">{t("past.chart.few")}</p>;
  const shown = points[near ?? points.length - 1] ?? last;
  const at = near ?? points.length - 1;
  const find = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect();
    const zoom = (event.currentTarget as Element).getBoundingClientRect().width / width || 1;
    const part = ((event.clientX - left) / zoom - LEFT) / (width - LEFT - RIGHT);
    setNear(Math.max(0, Math.min(points.length - 1, Math.round(part * (points.length - 1)))));
  };
  const words = t("past.chart", {
    figure: title,
    first: format(first.value),
    last: format(last.value),
    best: format(Math.max(...values)),
  });
  return (
    <figure class="chart" ref={box}>
      <figcaption>
        <b>{format(shown.value)}</b> <span>{shown.href ? <a href={shown.href}>{shown.label}</a> : shown.label}</span>
      </figcaption>
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={words}
        onPointerMove={find}
        onPointerDown={find}
        onPointerLeave={() => setNear(undefined)}
      >
        {axis.map((value) => (
          <g key={value}>
            <path class="grid" d={`M${LEFT} ${y(value)}H${width - RIGHT}`} />
            <text class="tick" x={LEFT - 8} y={y(value)}>
              {format(value).replace(/[.,]0+$/, "")}
            </text>
          </g>
        ))}
        <path class={smoothing ? "curve-line faint" : "curve-line"} d={line(values)} />
        {points.length <= 60 &&
          points.map((point, i) => (
            <circle key={i} class="dot" cx={x(i)} cy={y(point.value)} r={smoothing ? 2.5 : 4} />
          ))}
        {smoothing && <path class="curve-line" d={line(smoothed(values, WINDOW))} />}
        <path class="near" d={`M${x(at)} ${TOP}V${HEIGHT - BOTTOM}`} />
        <circle class="at" cx={x(at)} cy={y(shown.value)} r={6} />
        <text class="tick from" x={LEFT} y={HEIGHT - 8}>
          {first.label}
        </text>
        <text class="tick to" x={width - RIGHT} y={HEIGHT - 8}>
          {last.label}
        </text>
      </svg>
      {smoothing && (
        <p class="legend" aria-hidden="true">
          <span class="key" /> {t("past.smooth")} <span class="key faint" /> {t("past.each")}
        </p>
      )}
    </figure>
  );
}

/** The width of an element, so that text in an SVG keeps its size. */
function useWidth(): [RefObject<HTMLElement | null>, number] {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(320);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [box, width];
}
