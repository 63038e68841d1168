// Putting a dart right: the beds next to the wrong one first, then the whole board.
import { useEffect, useRef } from "preact/hooks";
import { Dartboard } from "../board/dartboard";
import { Picture } from "../board/picture";
import { scoreboardOf } from "../games";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { dartName, t } from "../text";
import { NumberPad } from "./pad";
import { bedUnder, TouchBoard } from "./touch-board";

interface Props {
  geometry: Geometry;
  match: Match;
  number: number;
  dart: string;
  /** What the game calls it. */
  name: string;
  onCorrect: (dart: unknown) => void;
  onClose: () => void;
}

export function Correction({ geometry, match, number, dart, name, onCorrect, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { aim } = scoreboardOf(match.game);
  const near = (geometry.beds[dart]?.neighbours ?? []).filter((bed) => bed !== "MISS");
  return (
    <dialog ref={dialog} class="sheet" onClose={onClose} aria-labelledby="correction">
      <header>
        <h2 id="correction">{t("correct.title", { n: number, bed: name })}</h2>
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
      <TouchBoard
        read={(x, y) => aim?.(match, geometry, x, y) ?? bedUnder(geometry, x, y)}
        draw={(aimed) =>
          aim ? (
            <Picture match={match} geometry={geometry} aimed={aimed} />
          ) : (
            <Dartboard geometry={geometry} lit={{ hints: [dart] }} aimed={aimed} />
          )
        }
        onPick={onCorrect}
      />
      <NumberPad disabled={false} onThrow={onCorrect} />
    </dialog>
  );
}
