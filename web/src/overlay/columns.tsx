// What an overlay shows of each side, by game: small columns between the name and the score.
import type { ComponentChild } from "preact";
import { Marks } from "../games/words/pictures";
import type { Match, Player } from "../match";
import { dartName, decimal, t } from "../text";
import type { Part } from "./settings";
import { severalOf } from "./several";

export interface Column {
  key: string;
  /** The heading; `spoken` where it is an abbreviation. */
  label: string;
  cell: ComponentChild;
}

interface Counted extends Player {
  legs?: number;
  sets?: number;
  visits?: number[];
  average?: number;
  mpr?: number;
  lives?: number;
  marks?: Record<string, number>;
}

/** The columns of one side; every side of a match has the same ones. */
export function columnsOf(match: Match, player: Counted, parts: ReadonlySet<Part>): Column[] {
  const several = severalOf(match);
  const columns: Column[] = [];
  const add = (key: string, label: string, cell: ComponentChild) => columns.push({ key, label, cell });
  const { marks, visits, average, mpr, lives, legs, sets } = player;
  if (isCricket(match)) {
    for (const target of match.numbers)
      add(`${target}`, target === "bull" ? "B" : String(target), <Marks count={Math.min(marks?.[target] ?? 0, 3)} />);
  }
  if (parts.has("legs")) {
    if (sets !== undefined && several.sets) add("sets", t("x01.sets"), sets);
    if (legs !== undefined && several.legs) add("legs", t("x01.legs"), legs);
    if (lives !== undefined && lives !== player.score) add("lives", "♥", lives);
  }
  if (parts.has("visit") && visits)
    add("visit", t(match.game === "cricket" ? "cricket.last" : "x01.last"), visits.at(-1) ?? "–");
  if (parts.has("average")) {
    if (average !== undefined) add("average", t("x01.average"), decimal(average, 1));
    if (mpr !== undefined) add("mpr", t("cricket.mpr"), decimal(mpr, 2));
  }
  return columns;
}

interface Cricket extends Match {
  numbers: (number | "bull")[];
}

function isCricket(match: Match): match is Cricket {
  return match.game === "cricket" && Array.isArray((match as Partial<Cricket>).numbers);
}

/** The beds that would finish now, as players call them. */
export function checkoutOf({ turn }: Match): string[] {
  const { checkout } = turn as { checkout?: unknown };
  return Array.isArray(checkout) ? checkout.map((bed) => dartName(String(bed))) : [];
}
