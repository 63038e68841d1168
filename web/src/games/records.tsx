// After a drill: what it came to, such as a class, the personal best of each player, and their last results.
import { useEffect, useState } from "preact/hooks";
import { credentials } from "../access";
import type { Match } from "../match";
import { t } from "../text";
import { figures } from "./words/view";

interface Figures {
  drills?: number;
  last_ten?: number[];
  [best: string]: unknown;
}

interface Record {
  name: string;
  best: number;
  last: number[];
}

export function Records({ match }: { match: Match }) {
  const [records, setRecords] = useState<Record[]>([]);
  const { match: id, game } = match;
  const names = match.players.filter(({ name, house }) => !house && !match.bots?.[name]).map(({ name }) => name);
  const key = names.join("\n");
  useEffect(() => {
    let current = true;
    const asked = key.split("\n").filter(Boolean);
    void Promise.all(asked.map((name) => recordOf(name, game))).then((found) => {
      if (current) setRecords(found.filter((record) => record !== undefined));
    });
    return () => {
      current = false;
    };
  }, [id, game, key]);
  if (records.length === 0) return null;
  const [alone, ...others] = match.players;
  return (
    <dl class="facts records">
      {(alone && others.length === 0 ? figures(alone) : []).map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {records.map(({ name, best, last }) => (
        <div key={name}>
          <dt>{t("records.of", { name, best })}</dt>
          <dd>{last.join(" ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What `/players/NAME.json` says of a drill; undefined for another game, and while it cannot be read. */
async function recordOf(name: string, game: string): Promise<Record | undefined> {
  try {
    const answer = await fetch(`/players/${encodeURIComponent(name)}.json`, { headers: credentials() });
    const found = answer.ok ? ((await answer.json()) as { [game: string]: Figures | undefined })[game] : undefined;
    if (!found?.drills || !found.last_ten) return undefined;
    const best = Object.entries(found).find(([key]) => key.startsWith("best_") && key !== "best_checkout")?.[1];
    return { name, best: Number(best), last: found.last_ten };
  } catch {
    return undefined;
  }
}
