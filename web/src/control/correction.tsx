// Putting a dart right: the beds next to the wrong one first, then the whole board.
import { useEffect, useRef } from "preact/hooks";
import type { Geometry } from "../geometry";
import { dartName, t } from "../text";
import { NumberPad } from "./pad";
import { TouchBoard } from "./touch-board";

interface Props {
  geometry: Geometry;
  number: number;
  dart: string;
  onCorrect: (bed: string) => void;
  onClose: () => void;
}

export function Correction({ geometry, number, dart, onCorrect, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const near = (geometry.beds[dart]?.neighbours ?? []).filter((bed) => bed !== "MISS");
  return (
    <dialog ref={dialog} class="sheet" onClose={onClose} aria-labelledby="correction">
      <header>
        <h2 id="correction">{t("correct.title", { n: number, bed: dartName(dart, true) })}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          {t("control.cancel")}
        </button>
      </header>
      <h3>{t("correct.near")}</h3>
      <div class="near">
        {near.map((bed) => (
          <button type="button" key={bed} onClick={() => onCorrect(bed)}>
            {dartName(bed, true)}
          </button>
        ))}
        <button type="button" onClick={() => onCorrect("MISS")}>
          {dartName("MISS")}
        </button>
      </div>
      <h3>{t("correct.all")}</h3>
      <TouchBoard geometry={geometry} lit={{ hints: [dart] }} onPick={onCorrect} />
      <NumberPad disabled={false} onThrow={onCorrect} />
    </dialog>
  );
}
