// A word across the dartboard when something happens that people shout about.
import { useEffect, useState } from "preact/hooks";
import type { MatchEvent } from "../match";
import type { Table } from "../table";
import { type Key, t } from "../text";

const SHOWN_MS = 1800;
const SHOUTED = new Set(["bust", "checkout", "leg", "set", "out", "won"]);
const MAXIMUM = 180;

interface Shout {
  id: string;
  text: string;
  kind: string;
}

export function Flash({ table }: { table: Table }) {
  const [shout, setShout] = useState<Shout>();
  useEffect(() => table.onEvent((event) => setShout((before) => shouted(event) ?? before)), [table]);
  useEffect(() => {
    const timer = setTimeout(() => setShout(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shout]);
  if (!shout) return null;
  return (
    <div class={`flash ${shout.kind}`} style={{ "--letters": shout.text.length }} key={shout.id} aria-hidden="true">
      {shout.text}
    </div>
  );
}

function shouted({ id, event, ...about }: MatchEvent): Shout | undefined {
  if (event === "score" && about.points === MAXIMUM) return { id, text: String(MAXIMUM), kind: "maximum" };
  if (!SHOUTED.has(event)) return undefined;
  const winners = Array.isArray(about.winners) ? about.winners.join(" & ") : undefined;
  return { id, text: t(`flash.${event}` as Key, { name: String(about.player ?? winners ?? "") }), kind: event };
}
