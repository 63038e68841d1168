// Correcting a dart: the beds next to the wrong one first, of these the one that closed with it, then the whole board.
import { useEffect, useRef, useState } from "preact/hooks";
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
  /** What is asked. */
  title: string;
  dart: string;
  onCorrect: (to: { throw: unknown } | { foul: true }) => void;
  onClose: () => void;
}

export function Correction({ geometry, match, title, dart, onCorrect, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const [onBorder, setOnBorder] = useState(false);
  const { aim, Border } = scoreboardOf(match.game);
  const onThrow = (right: unknown) => onCorrect({ throw: right });
  const foul = (
    <button type="button" onClick={() => onCorrect({ foul: true })}>
      {t("foul")}
    </button>
  );
  const near = bedsNear(geometry, dart, match.doubtful ?? []);
  return (
    <dialog ref={dialog} class="sheet" onClose={onClose} aria-labelledby="correction">
      <header>
        <h2 id="correction">{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          {t("control.cancel")}
        </button>
      </header>
      {near.length > 0 && <h3>{t("correct.near")}</h3>}
      <div class="near">
        {near.map((bed) => (
          <button type="button" key={bed} onClick={() => onThrow(bed)}>
            {dartName(bed, true)}
          </button>
        ))}
        <button type="button" onClick={() => onThrow("MISS")}>
          {dartName("MISS")}
        </button>
        {!Border && foul}
      </div>
      {Border && (
        <div class="thrown-so">
          <button type="button" aria-pressed={onBorder} onClick={() => setOnBorder(!onBorder)}>
            {t("wars.on-border")}
          </button>
          {foul}
        </div>
      )}
      {Border && onBorder ? (
        <Border match={match} geometry={geometry} busy={false} onPick={onThrow} />
      ) : (
        <>
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
            onPick={onThrow}
          />
          <NumberPad disabled={false} onThrow={onThrow} />
        </>
      )}
    </dialog>
  );
}

/** The beds that a board can confuse with this one: those that closed together with it, then the others, likeliest first. */
function bedsNear({ beds, playable }: Geometry, dart: string, doubtful: string[]): string[] {
  // Of a dart whose points alone are known: every bed that gives them.
  if (/^\d+$/.test(dart)) return playable.filter((bed) => beds[bed]?.points === Number(dart));
  const near = (beds[dart]?.neighbours ?? []).filter((bed) => bed !== "MISS");
  const touching = doubtful.filter((bed) => near.includes(bed) || beds[bed]?.neighbours.includes(dart)).reverse();
  // A single can be listed by its outer part as well, which people call the same.
  const named = touching.map((bed) => dartName(bed, true));
  return [...new Set([...touching, ...near.filter((bed) => !named.includes(dartName(bed, true)))])];
}
