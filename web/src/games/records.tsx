// After a match: what a drill came to, with the personal best of each player and their last results; and the
// achievements that were reached in the match.
import { useEffect, useState } from "preact/hooks";
import { credentials } from "../access";
import type { Match } from "../match";
import { language, points, t } from "../text";
import { figures } from "./words/view";

interface Figures {
  drills?: number;
  last_ten?: number[];
  [best: string]: unknown;
}

interface Page {
  achievements?: { key: string; title: Record<string, string>; match: string }[];
}

export interface PlayerRecord {
  name: string;
  /** Of a drill alone. */
  drill?: { best: number; last: number[] };
  earned: string[];
}

/** As many achievements have room on the result. */
const SHOWN = 4;

/** What is on the page of each player of a match that is over; undefined until it is read. */
export function useRecords(match: Match): PlayerRecord[] | undefined {
  const [records, setRecords] = useState<PlayerRecord[]>();
  const { match: id, game, finished } = match;
  const names = match.players.filter(({ name, house }) => !house && !match.bots?.[name]).map(({ name }) => name);
  const key = finished ? names.join("\n") : "";
  useEffect(() => {
    let current = true;
    const asked = key.split("\n").filter(Boolean);
    void Promise.all(asked.map((name) => recordOf(name, game, id))).then((found) => {
      if (current) setRecords(found.filter((record) => record !== undefined));
    });
    return () => {
      current = false;
    };
  }, [id, game, key]);
  return records;
}

export function Records({ match, records }: { match: Match; records: PlayerRecord[] }) {
  const drills = records.filter(({ drill }) => drill);
  if (drills.length === 0) return null;
  const [alone, ...others] = match.players;
  return (
    <dl class="facts records">
      {(alone && others.length === 0 ? figures(alone) : []).map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {drills.map(({ name, drill }) => (
        <div key={name}>
          <dt>{t("records.of", { name, best: points(drill?.best ?? 0) })}</dt>
          <dd>{drill?.last.map(points).join(" ")}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Both, below the figures of a match that is over. */
export function AfterMatch({ match }: { match: Match }) {
  const records = useRecords(match) ?? [];
  return (
    <>
      <Records match={match} records={records} />
      <EarnedNow records={records} />
    </>
  );
}

/** The achievements that were reached in the match. */
export function EarnedNow({ records }: { records: PlayerRecord[] }) {
  const earned = records.flatMap(({ name, earned: some }) => some.map((achievement) => ({ name, achievement })));
  if (earned.length === 0) return null;
  return (
    <ul class="earned">
      {earned.slice(0, SHOWN).map(({ name, achievement }) => (
        <li key={`${name} ${achievement}`}>{t("records.earned", { name, achievement })}</li>
      ))}
    </ul>
  );
}

/** What `/players/NAME.json` says of a player after this match; undefined while it cannot be read. */
async function recordOf(name: string, game: string, match: string): Promise<PlayerRecord | undefined> {
  try {
    const answer = await fetch(`/players/${encodeURIComponent(name)}.json`, { headers: credentials() });
    if (!answer.ok) return undefined;
    const found = (await answer.json()) as Page & { [game: string]: Figures | undefined };
    const { achievements = [], [game]: of } = found;
    const earned = achievements.filter((one) => one.match === match).map(({ key, title }) => title[language] ?? key);
    if (!of?.drills || !of.last_ten) return { name, earned };
    const best = Object.entries(of).find(([figure]) => figure.startsWith("best_") && figure !== "best_checkout")?.[1];
    return { name, earned, drill: { best: Number(best), last: of.last_ten } };
  } catch {
    return undefined;
  }
}
