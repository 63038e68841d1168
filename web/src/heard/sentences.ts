// A match in sentences, for those who do not see it: what was hit and where, what is left, whose turn it is.
import { dartLabels } from "../board/picture";
import { scoreboardOf } from "../games";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { awaited } from "../pages/turn";
import { dartName, t } from "../text";
import { bedOf, whereFrom } from "./where";

/** What is usually aimed at in X01 as long as no checkout is suggested. */
const USUAL = 20;

/** What the player aims at by the state: what is lit, or in X01 what is usual. */
export function aimedAt(match: Match): (string | number)[] {
  const { targets = [] } = scoreboardOf(match.game).lit?.(match) ?? {};
  return targets.length > 0 ? targets : match.game === "x01" ? [USUAL] : [];
}

/** A bed as it is said: "triple 20", "outer bull". */
export function bedInWords(text: string): string {
  const bed = bedOf(text);
  if (!bed) return dartName(text);
  return t(`heard.${bed.ring}`, { n: bed.number });
}

/** Where a dart landed from what was aimed at; empty if it cannot be said. */
export function placeInWords(geometry: Geometry, dart: string, targets: (string | number)[]): string {
  const where = whereFrom(geometry.numbers, dart, targets);
  switch (where?.kind) {
    case "on":
      return t("heard.on");
    case "ring":
      return t("heard.ring");
    case "side":
      return t(where.side === "left" ? "heard.left-of" : `heard.${where.side}`, { n: where.steps, of: where.of });
    case "far":
      return t("heard.far", { of: where.of });
    case "bull":
      return t("heard.inside", { of: where.of });
    case "off-bull":
      return t(`heard.bull.${where.side}`);
    default:
      return "";
  }
}

/** Everything about a state, with the last dart seen from what was aimed at before it. */
export function inSentences(match: Match, geometry: Geometry, targets: (string | number)[]): string {
  const { turn } = match;
  const count = turn.darts.length;
  const last = turn.darts[count - 1];
  const player = match.players.find(({ name }) => name === turn.player);
  const own = scoreboardOf(match.game).dart !== undefined;
  const label = dartLabels(match, geometry)[count - 1];
  const name = own ? [label?.text, label?.small].filter(Boolean).join(" ") : bedInWords(last ?? "");
  const place = last === undefined || own ? "" : placeInWords(geometry, last, targets);
  return [
    last === undefined ? "" : t("heard.dart", { n: count, bed: [name, place].filter(Boolean).join(", ") }),
    player ? t(match.game === "x01" ? "heard.left" : "heard.score", { name: player.name, n: player.score }) : "",
    awaited(match),
  ]
    .filter(Boolean)
    .map((sentence) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(" ");
}
