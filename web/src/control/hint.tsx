// A hint on request: what the game's advice would aim at or do now. The daemon computes it; the page words it.
import { useState } from "preact/hooks";
import { scoreboardOf } from "../games";
import { cardName } from "../games/cards";
import { type Geometry, placeTitle } from "../geometry";
import type { Awaits, Hint, Match } from "../match";
import type { BoardClient } from "../board-client";
import { dartName, maybe, refusalText, t } from "../text";

const HINTED: Awaits[] = ["throw", "choose", "move", "combat", "defend"];

interface RequestedHint {
  revision: number;
  hint?: Hint | undefined;
  refused?: string | undefined;
}

interface Hints {
  /** Whether there is something to ask for. */
  offered: boolean;
  ask: () => Promise<void>;
  hint: Hint | undefined;
  refused: string | undefined;
}

/** The hint for the shown state. A hint about a hand is part of the hand, and shown only on its owner's phone. */
export function useHint(client: BoardClient, held: { name?: string | undefined; hand?: object | undefined }): Hints {
  const [requested, setRequested] = useState<RequestedHint>();
  const { match } = client;
  const { awaits = "nothing", candidates, actor = "" } = match?.turn ?? {};
  const hand = held.hand as { revision: number; hint?: Hint } | undefined;
  const secret = hand && hand.revision === match?.revision ? hand.hint : undefined;
  const current = requested?.revision === match?.revision ? requested : undefined;
  const hands = match && scoreboardOf(match.game).hands?.(match);
  return {
    offered:
      HINTED.includes(awaits) && !candidates && match?.bots?.[actor] === undefined && (!hands || held.name === actor),
    ask: async () => {
      if (!match) return;
      const { revision } = match;
      const reply = await client.command({ hint: true, revision });
      if (!reply) setRequested({ revision, refused: t("control.noanswer") });
      else if (reply.ok) setRequested({ revision, hint: reply.hint });
      else setRequested({ revision, refused: refusalText(reply) });
    },
    hint: secret ?? current?.hint,
    refused: current?.refused,
  };
}

/** A hint in words. */
export function hintWords(match: Match, geometry: Geometry, { aim, action }: Hint): string {
  if (aim) {
    const [x, y] = aim.at;
    const bed = scoreboardOf(match.game).aim?.(match, geometry, x, y).label ?? dartName(aim.target);
    return t("hint.aim", { bed, percent: Math.round(100 * aim.odds) });
  }
  const [[verb, about]] = Object.entries(action ?? { next: true }) as [[string, unknown]];
  const what = about as Record<string, string | number | boolean | undefined>;
  const place = (name: unknown) => placeTitle(geometry, String(name));
  switch (verb) {
    case "choose":
      return chosen(what, place);
    case "move": {
      const { from, to, dart } = what;
      const { targets = [] } = match.turn as { targets?: string[][] };
      const goal = to ?? targets[Number(dart) - 1]?.[0];
      if (goal === from) return t("wars.attack.here", { zone: place(from) });
      return t("hint.move", { way: `${place(from)} → ${place(goal)}` });
    }
    case "combat":
      return t("hint.combat", { zone: place(what.zone) });
    case "defend":
      return t("hint.defend", { name: String(what.by) });
    default:
      return t(verb === "done" ? "hint.done" : "hint.next");
  }
}

function chosen(what: Record<string, unknown>, place: (name: unknown) => string): string {
  const [[key, value]] = Object.entries(what) as [[string, unknown]];
  const name = String(value);
  if (key === "card") return t("hint.card", { card: cardName(name) });
  if (key === "category") return t("hint.choose", { what: maybe(`yatzy.${name}`) ?? name });
  return t("hint.choose", { what: key === "zone" ? place(name) : name });
}
