// An action of the match file in words, if there are words for it.
import { dartLabels } from "../board/picture";
import { cardName } from "../games/cards";
import { type Geometry, placeTitle } from "../geometry";
import type { Match } from "../match";
import { dartName, labelled, maybe, t } from "../text";

const PLAIN = {
  next: "control.next",
  undo: "control.undo",
  bounce: "control.bounce",
  foul: "foul",
  done: "control.done",
  deck: "awaits.deck",
} as const;

/** `match` is the state after the action. */
export function actionText(action: Record<string, unknown>, match: Match | undefined, geometry: Geometry): string {
  const [key, value] = Object.entries(action).find(([name]) => name !== "by" && name !== "at_ms") ?? ["", undefined];
  if (key in PLAIN) return t(PLAIN[key as keyof typeof PLAIN]);
  const fields = (value ?? {}) as Record<string, string | number>;
  switch (key) {
    case "throw":
      if (typeof value === "string") return dartName(value);
      return (match && dartLabels(match, geometry)[match.turn.darts.length - 1]?.text) ?? "";
    case "roll":
      return (value as number[]).join(" · ");
    case "choose":
      return Object.entries(fields)
        .map(([of, what]) => chosen(of, String(what), geometry))
        .join();
    case "move": {
      const [from, to] = [fields.from, fields.to].map((place) => (place ? placeTitle(geometry, String(place)) : ""));
      return labelled(t("dart", { n: Number(fields.dart) }), [from, to].filter(Boolean).join(" → "));
    }
    case "combat":
      return t("wars.combat.in", { zone: placeTitle(geometry, String(fields.zone)) });
    default:
      return typeof value === "object" ? Object.values(fields).join(" · ") : String(value);
  }
}

function chosen(of: string, what: string, geometry: Geometry): string {
  if (of === "card") return cardName(what);
  if (of === "category") return maybe(`yatzy.${what}`) ?? what;
  return of === "zone" ? placeTitle(geometry, what) : dartName(what);
}
