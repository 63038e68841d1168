// Two ways to enter a dart: touching the board, or buttons for ring and number, which work with a keyboard too.
import { useState } from "preact/hooks";
import { Picture } from "../board/picture";
import { scoreboardOf } from "../games";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { dartName, t } from "../text";
import { bedUnder, TouchBoard } from "./touch-board";
import { TypedDarts } from "./typed-darts";

const RINGS = [
  ["S", "control.single"],
  ["D", "control.double"],
  ["T", "control.triple"],
] as const;

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
  const { aim, front } = scoreboardOf(match.game);
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
          <NumberPad disabled={disabled} onThrow={onThrow} />
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

export function NumberPad({ disabled, onThrow }: { disabled: boolean; onThrow: (bed: string) => unknown }) {
  const [ring, setRing] = useState<"S" | "D" | "T">("S");
  return (
    <div class="numberpad">
      <fieldset class="rings">
        {RINGS.map(([prefix, name]) => (
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
            aria-label={`${ring} ${number}`}
            onClick={() => onThrow(`${ring}${number}`)}
          >
            {number}
          </button>
        ))}
        {["SB", "DB"].map((bed) => (
          <button type="button" class="wide" key={bed} onClick={() => onThrow(bed)}>
            {dartName(bed)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
