// Ways to enter darts: touching the board, buttons for ring and number, which work with a keyboard too, and totals.
import { useState } from "preact/hooks";
import { Picture } from "../board/picture";
import { scoreboardOf } from "../games";
import { bedsOf, type Geometry } from "../geometry";
import type { Command, Match } from "../match";
import { dartName, t } from "../text";
import { bedUnder, TouchBoard } from "./touch-board";
import { TypedDarts } from "./typed-darts";
import { takesTotals, VisitTotal } from "./visit-total";

const MULTIPLES = [
  ["D", "control.double"],
  ["T", "control.triple"],
] as const;
const RINGS = [["S", "control.single"], ...MULTIPLES] as const;
/** Where the two singles of a number differ. A board without that names the outer one. */
const ALL_RINGS = [["SO", "control.outer"], ["SI", "control.inner"], ...MULTIPLES] as const;
type RingName = (typeof RINGS | typeof ALL_RINGS)[number][0];

type Target = string | number;

const WAYS = { board: "control.board", numbers: "control.pad", total: "control.total" } as const;

interface Props {
  geometry: Geometry;
  match: Match;
  /** Whether no dart can be entered now. */
  disabled: boolean;
  /** Whether nothing can be entered now, not even a total in place of the darts. */
  blocked: boolean;
  /** The point that a hint aims at, in radii. */
  mark?: [number, number] | undefined;
  onThrow: (dart: unknown) => void | Promise<boolean>;
  send: (command: Command) => Promise<boolean>;
}

export function ThrowPad({ geometry, match, disabled, blocked, mark, onThrow, send }: Props) {
  const [by, setBy] = useState<"board" | "numbers" | "total">("board");
  const { aim, front, lit } = scoreboardOf(match.game);
  const { targets, dangers } = lit?.(match) ?? {};
  return (
    <section class="throwpad">
      <fieldset class="tabs">
        {(["board", "numbers", "total"] as const)
          .filter((way) => way !== "total" || takesTotals(match))
          .map((way) => (
            <button type="button" key={way} aria-pressed={by === way} onClick={() => setBy(way)}>
              {t(WAYS[way])}
            </button>
          ))}
      </fieldset>
      {by === "numbers" ? (
        <>
          <NumberPad disabled={disabled} targets={targets} dangers={dangers} onThrow={onThrow} />
          <TypedDarts disabled={disabled} onThrow={onThrow} />
        </>
      ) : by === "total" && takesTotals(match) ? (
        <VisitTotal match={match} disabled={blocked} send={send} />
      ) : (
        <TouchBoard
          disabled={disabled}
          mark={mark}
          read={(x, y) => aim?.(match, geometry, x, y) ?? bedUnder(geometry, x, y)}
          front={front?.(match, geometry)}
          draw={(aimed, window) => <Picture match={match} geometry={geometry} aimed={aimed} window={window} />}
          onPick={onThrow}
        />
      )}
    </section>
  );
}

interface NumberProps {
  disabled: boolean;
  targets?: Target[] | undefined;
  dangers?: Target[] | undefined;
  onThrow: (bed: string) => unknown;
}

export function NumberPad({ disabled, targets = [], dangers = [], onThrow }: NumberProps) {
  const [chosen, setRing] = useState<RingName>("S");
  const lit = new Set(targets.flatMap(bedsOf));
  const warned = new Set(dangers.flatMap(bedsOf));
  const split = [...targets, ...dangers].some((name) => /^S[IO]/.test(String(name)));
  const ring = !chosen.startsWith("S") ? chosen : !split ? "S" : chosen === "SI" ? "SI" : "SO";
  const look = (bed: string) => {
    const beds = bedsOf(bed);
    return beds.some((each) => lit.has(each)) ? "lit" : beds.some((each) => warned.has(each)) ? "hurts" : "";
  };
  return (
    <div class="numberpad">
      <fieldset class="rings">
        {(split ? ALL_RINGS : RINGS).map(([prefix, name]) => (
          <button type="button" key={prefix} aria-pressed={ring === prefix} onClick={() => setRing(prefix)}>
            {t(name)}
          </button>
        ))}
      </fieldset>
      <fieldset class="numbers-grid" disabled={disabled}>
        {Array.from({ length: 20 }, (_, i) => i + 1).map((number) => (
          <button
            type="button"
            key={number}
            class={look(`${ring}${number}`)}
            aria-label={`${ring} ${number}`}
            onClick={() => onThrow(`${ring}${number}`)}
          >
            {number}
          </button>
        ))}
        {["SB", "DB"].map((bed) => (
          <button type="button" class={`wide ${look(bed)}`} key={bed} onClick={() => onThrow(bed)}>
            {dartName(bed)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
