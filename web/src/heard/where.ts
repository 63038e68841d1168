// Where a dart landed, seen from what was aimed at: "one left of 20". Pure: for screen readers and for tests.

/** A bed in its parts; undefined for a miss and for what is not a bed. */
export interface Bed {
  ring: "S" | "D" | "T" | "SB" | "DB";
  /** 25 for both bulls. */
  number: number;
}

/** Where a dart is: on the target, in another ring of its number, or beside it. */
export type Where =
  | { kind: "on" }
  | { kind: "ring" }
  | { kind: "side"; steps: number; side: Side; of: number }
  | { kind: "far"; of: number }
  | { kind: "bull"; of: number }
  | { kind: "off-bull"; side: Side };

export type Side = "left" | "right" | "above" | "below";

/** More numbers away than these, a count says less than "far". */
const NEAR = 4;

export function bedOf(text: string): Bed | undefined {
  if (text === "SB" || text === "DB") return { ring: text, number: 25 };
  const found = /^([SDT])[IO]?(\d+)$/.exec(text);
  return found ? { ring: found[1] as "S", number: Number(found[2]) } : undefined;
}

/** Where a bed is from the nearest of some targets: beds, numbers, or `bull`. */
export function whereFrom(
  numbers: readonly number[],
  dart: string,
  targets: readonly (string | number)[],
): Where | undefined {
  const bed = bedOf(dart);
  if (!bed) return undefined;
  const all = targets.flatMap((target) => from(numbers, bed, dart, target) ?? []);
  return all.sort((a, b) => distance(a) - distance(b))[0];
}

function distance(where: Where): number {
  switch (where.kind) {
    case "on":
      return 0;
    case "ring":
      return 0.5;
    case "side":
      return where.steps;
    default:
      return NEAR + 1;
  }
}

function from(numbers: readonly number[], bed: Bed, dart: string, target: string | number): Where | undefined {
  const wanted = target === "bull" ? { ring: undefined, number: 25 } : parsed(target);
  if (!wanted) return undefined;
  if (bed.number === wanted.number) {
    const any = wanted.ring === undefined;
    return any || target === dart || wanted.ring === bed.ring ? { kind: "on" } : { kind: "ring" };
  }
  if (wanted.number === 25) return { kind: "off-bull", side: outwards(angleOf(numbers, bed.number)) };
  if (bed.number === 25) return { kind: "bull", of: wanted.number };
  const [at, aimed] = [numbers.indexOf(bed.number), numbers.indexOf(wanted.number)];
  if (at < 0 || aimed < 0) return undefined;
  // From -10 to 10, clockwise.
  const turn = ((at - aimed + 30) % 20) - 10;
  const steps = Math.abs(turn);
  if (steps > NEAR) return { kind: "far", of: wanted.number };
  return { kind: "side", steps, side: sideways(angleOf(numbers, wanted.number), turn > 0), of: wanted.number };
}

function parsed(target: string | number): { ring: Bed["ring"] | undefined; number: number } | undefined {
  const number = Number(target);
  return Number.isInteger(number) && number > 0 ? { ring: undefined, number } : bedOf(String(target));
}

/** In degrees, clockwise from the top. */
function angleOf(numbers: readonly number[], number: number): number {
  return (numbers.indexOf(number) * 360) / numbers.length;
}

/** The quarter of the board: 0 at the top, then clockwise. */
function quarter(angle: number): number {
  return Math.floor(((angle + 45) % 360) / 90);
}

/** Which side the next number is on, as the thrower sees it. */
function sideways(angle: number, clockwise: boolean): Side {
  const next: Side[] = ["right", "below", "left", "above"];
  const before: Side[] = ["left", "above", "right", "below"];
  return (clockwise ? next : before)[quarter(angle)] ?? "right";
}

function outwards(angle: number): Side {
  const sides: Side[] = ["above", "right", "below", "left"];
  return sides[quarter(angle)] ?? "above";
}
