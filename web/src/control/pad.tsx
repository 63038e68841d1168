// Two ways to enter a dart: touching the board, or buttons for ring and number, which work with a keyboard too.
import { useState } from "preact/hooks";
import { Picture } from "../board/picture";
import { scoreboardOf } from "../games";
import { bedsOf, type Geometry } from "../geometry";
import type { Match } from "../match";
import { dartName, t } from "../text";
import { bedUnder, TouchBoard } from "./touch-board";
import { TypedDarts } from "./typed-darts";

const MULTIPLES = [
  ["D", "control.double"],
  ["T", "control.triple"],
] as const;
const RINGS = [["S", "control.single"], ...MULTIPLES] as const;
/** Where the two singles of a number differ. A board without that names the outer one. */
const ALL_RINGS = [["SO", "control.outer"], ["SI", "control.inner"], ...MULTIPLES] as const;
type RingName = (typeof RINGS | typeof ALL_RINGS)[number][0];

type Target = string | number;

interface Props {
  geometry: Geometry;
  match: Match;
  disabled: boolean;
  /** The point that a hint aims at, in radii. */
  mark?: [number, number] | undefined;
  onThrow: (dart: unknown) => void | Promise<boolean>;
}

export function ThrowPad({ geometry, match, disabled, mark, onThrow }: Props) {
  const [numbers, setNumbers] = useState(false);
  const { aim, front, lit } = scoreboardOf(match.game);
  const { targets, dangers } = lit?.(match) ?? {};
  return (
    <section class="throwpad">
      <fieldset class="tabs">
        <button type="button" aria-pressed={!numbers} onClick={() => setNumbers(false)}>
          {t("control.board")}
        </button>
        <button type="button" aria-pressed={numbers} onClick={() => setNumbers(true)}>
          {t("control.pad")}
        </button>
      </fieldset>
      {numbers ? (
        <>
          <NumberPad disabled={disabled} targets={targets} dangers={dangers} onThrow={onThrow} />
          <TypedDarts disabled={disabled} onThrow={onThrow} />
        </>
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
