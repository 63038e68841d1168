// The dartboard, drawn from the engine's geometry. Its unit is the radius of the outer double wire.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { bedsOf, type Geometry, polar, regions } from "../geometry";
import { dartName, t } from "../text";
import type { PlacedDart } from "./darts";

/** What is lit: `targets` brightly, `hints` as an outline, `dangers` as a warning. Beds (`T20`), numbers, or `bull`. */
export interface Lit {
  targets?: (string | number)[];
  hints?: (string | number)[];
  dangers?: (string | number)[];
}

export const EDGE = 1.25;
const NUMBERS_AT = 1.122;

/** Four kites, each from the middle outwards. */
const FLIGHT = [0, 1, 2, 3].map((quarter) => kite((quarter * Math.PI) / 2 + 0.5)).join("");

function kite(angle: number): string {
  const corner = (radius: number, turn: number) => polar(radius, angle + turn).map((n) => n.toFixed(4));
  return `M0 0L${corner(0.045, -0.42)}L${corner(0.09, -0.1)}L${corner(0.09, 0.1)}L${corner(0.045, 0.42)}Z`;
}

interface Props {
  geometry: Geometry;
  lit?: Lit | undefined;
  darts?: PlacedDart[];
  /** The bed under a finger. */
  aimed?: string | undefined;
  /** Beds whose contact stays closed: darts there are not counted. */
  stuck?: string[] | undefined;
  /** Drawn by the game on the board, under the darts. */
  children?: ComponentChildren;
}

export function Dartboard({ geometry, lit = {}, darts = [], aimed, stuck = [], children }: Props) {
  const beds = useMemo(() => regions(geometry), [geometry]);
  const targets = new Set((lit.targets ?? []).flatMap(bedsOf));
  const hints = new Set((lit.hints ?? []).flatMap(bedsOf));
  const dangers = new Set((lit.dangers ?? []).flatMap(bedsOf));
  const dimmed = targets.size + hints.size + dangers.size > 0;
  const litNames = [...(lit.targets ?? []), ...(lit.hints ?? [])].map((name) => dartName(String(name))).join(", ");
  const labels = [
    t("board.label"),
    ...(dimmed ? [t("board.lit", { beds: litNames })] : []),
    ...(stuck.length ? [t("board.stuck", { beds: stuck.map((bed) => dartName(bed)).join(", ") })] : []),
  ];
  return (
    <svg
      class={dimmed ? "dartboard dimmed" : "dartboard"}
      viewBox={`${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`}
      role="img"
      aria-label={labels.join(". ")}
    >
      <circle class="surround" r={EDGE - 0.01} />
      <g class="beds">
        {beds.map(({ bed, number, ring, path }) => (
          <path
            key={bed}
            data-bed={bed}
            class={[
              ring,
              ring === "bull" || geometry.numbers.indexOf(number) % 2 === 0 ? "even" : "odd",
              targets.has(bed) ? "lit" : hints.has(bed) ? "hint" : "",
              dangers.has(bed) ? "danger" : "",
              bed === aimed ? "aimed" : "",
            ].join(" ")}
            d={path}
            fill-rule="evenodd"
          />
        ))}
      </g>
      <g class="numbers">
        {geometry.numbers.map((number, i) => {
          const [x, y] = polar(NUMBERS_AT, (i * Math.PI) / 10);
          return (
            <text key={number} x={x} y={y} class={targets.has(`T${number}`) && targets.has(`D${number}`) ? "lit" : ""}>
              {number}
            </text>
          );
        })}
      </g>
      {children}
      <Stuck geometry={geometry} beds={stuck} />
      <Darts darts={darts} />
    </svg>
  );
}

/** A cross in a ring on each bed that is stuck, above what is lit and below the darts. */
function Stuck({ geometry, beds }: { geometry: Geometry; beds: string[] }) {
  return (
    <g class="stuck">
      {beds.map((bed) => {
        const at = geometry.beds[bed]?.at;
        return (
          at && (
            <g key={bed} data-stuck={bed} transform={`translate(${at[0]} ${-at[1]})`}>
              <circle r="0.062" />
              <path d="M-.034-.034 .034 .034M.034-.034-.034 .034" />
            </g>
          )
        );
      })}
    </g>
  );
}

/** The darts in any picture whose unit is the board's radius. */
export function Darts({ darts }: { darts: PlacedDart[] }) {
  return (
    <g class="darts">
      {darts.map(({ key, at: [x, y], latest }) => (
        <g key={key} transform={`translate(${x} ${-y})`}>
          <Dart latest={latest} />
        </g>
      ))}
    </g>
  );
}

/** A dart from behind: the four blades of its flight, and the barrel that hides the tip. */
function Dart({ latest }: { latest: boolean }) {
  return (
    <g class={latest ? "dart latest" : "dart"}>
      <path class="flight" d={FLIGHT} />
      <circle class="barrel" r="0.019" />
    </g>
  );
}
