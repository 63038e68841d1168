// A dartboard to be touched: the finger slides, a label above it says which bed it is on, lifting it throws.
import { useState } from "preact/hooks";
import { Dartboard, EDGE, type Lit } from "../board/dartboard";
import type { PlacedDart } from "../board/darts";
import { bedAt, type Geometry } from "../geometry";
import { dartName } from "../text";

interface Props {
  geometry: Geometry;
  disabled?: boolean;
  lit?: Lit | undefined;
  darts?: PlacedDart[];
  onPick: (bed: string) => void;
}

interface Aim {
  bed: string;
  /** Where the finger is, in parts of the board's width and height. */
  left: number;
  top: number;
}

export function TouchBoard({ geometry, disabled = false, lit, darts, onPick }: Props) {
  const [aim, setAim] = useState<Aim>();

  function under(event: PointerEvent): Aim {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const left = (event.clientX - box.left) / box.width;
    const top = (event.clientY - box.top) / box.height;
    return { bed: bedAt(geometry, (2 * left - 1) * EDGE, (1 - 2 * top) * EDGE), left, top };
  }

  return (
    <div
      class={disabled ? "touch disabled" : "touch"}
      onPointerDown={(event) => {
        if (disabled) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setAim(under(event));
      }}
      onPointerMove={(event) => aim && setAim(under(event))}
      onPointerUp={(event) => {
        if (!aim) return;
        setAim(undefined);
        onPick(under(event).bed);
      }}
      onPointerCancel={() => setAim(undefined)}
    >
      <Dartboard geometry={geometry} lit={lit} darts={darts ?? []} aimed={aim?.bed} />
      {aim && (
        <output class="aim" style={{ left: `${100 * aim.left}%`, top: `${100 * aim.top}%` }}>
          {dartName(aim.bed)}
        </output>
      )}
    </div>
  );
}
