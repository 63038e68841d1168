// The touch board: slide a finger, read the label above it, lift it to throw.
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { type MapWindow, shows, WHOLE } from "../board/map-window";
import type { Aimed } from "../games/scoreboard";
import { bedAt, type Geometry } from "../geometry";
import { dartName, t } from "../text";

interface Props {
  disabled?: boolean;
  /** The spot at a point of the board, in radii, y up. */
  read: (x: number, y: number) => Aimed;
  /** The board, with what is under the finger. */
  draw: (aimed: string | undefined, window: MapWindow) => ComponentChild;
  /** The part that matters now: on a phone it is shown large first, with a button for the whole board. */
  front?: MapWindow | undefined;
  /** A point to mark, in radii. */
  mark?: [number, number] | undefined;
  onPick: (dart: unknown) => void;
}

interface Finger extends Aimed {
  /** The position of the finger, as fractions of the board's width and height. */
  left: number;
  top: number;
}

/** The bed at a point of the dartboard. */
export function bedUnder(geometry: Geometry, x: number, y: number): Aimed {
  const bed = bedAt(geometry, x, y);
  return { label: dartName(bed), aimed: bed, dart: bed };
}

/** A screen that is wider shows the whole board large enough. */
const WIDE = "(min-width: 600px) and (min-height: 600px)";

export function TouchBoard({ disabled = false, read, draw, front, mark, onPick }: Props) {
  const [finger, setFinger] = useState<Finger>();
  const [whole, setWhole] = useState(() => matchMedia(WIDE).matches);
  const window = whole || !front || (mark && !shows(front, mark)) ? WHOLE : front;

  function under(event: PointerEvent): Finger {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const left = (event.clientX - box.left) / box.width;
    const top = (event.clientY - box.top) / box.height;
    const [x, y] = [window.x + (2 * left - 1) * window.half, window.y + (1 - 2 * top) * window.half];
    return { ...read(x, y), left, top };
  }

  const board = (
    <div
      class={disabled ? "touch disabled" : "touch"}
      onPointerDown={(event) => {
        if (disabled) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFinger(under(event));
      }}
      onPointerMove={(event) => finger && setFinger(under(event))}
      onPointerUp={(event) => {
        if (!finger) return;
        setFinger(undefined);
        onPick(under(event).dart);
      }}
      onPointerCancel={() => setFinger(undefined)}
    >
      {draw(finger?.aimed, window)}
      {mark && (
        <span
          class="hint-mark"
          aria-hidden="true"
          style={{
            left: `${50 + (50 * (mark[0] - window.x)) / window.half}%`,
            top: `${50 - (50 * (mark[1] - window.y)) / window.half}%`,
          }}
        />
      )}
      {finger && (
        <output
          class={finger.label.length > 5 ? "aim long" : "aim"}
          style={{ left: `${100 * Math.min(0.8, Math.max(0.2, finger.left))}%`, top: `${100 * finger.top}%` }}
        >
          {finger.label}
        </output>
      )}
    </div>
  );
  if (!front) return board;
  return (
    <>
      <fieldset class="tabs">
        <button type="button" aria-pressed={window !== WHOLE} onClick={() => setWhole(false)}>
          {t("map.front")}
        </button>
        <button type="button" aria-pressed={window === WHOLE} onClick={() => setWhole(true)}>
          {t("map.whole")}
        </button>
      </fieldset>
      {board}
    </>
  );
}
