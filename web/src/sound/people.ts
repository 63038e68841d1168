// Pictures, sounds and colours of players: the addresses of their files, and each colour as `#0060ff`.
import { useEffect, useState } from "preact/hooks";
import { request } from "../history/request";

export const SLOTS = ["picture", "walk_on", "maximum", "checkout", "bust", "won"] as const;
export type Slot = (typeof SLOTS)[number];
/** The address of each file, by player and what it is for, and the colour that they have chosen. */
export type People = Record<string, Partial<Record<Slot | "colour", string>>>;

/** The files of these players; `version` asks again when it changes, for files may have been added meanwhile. */
export function usePeople(players: string[], version: unknown): People {
  const [people, setPeople] = useState<People>({});
  const query = players.map((name) => `player=${encodeURIComponent(name)}`).join("&");
  useEffect(() => {
    if (!query) return undefined;
    const leaving = new AbortController();
    void request<People>(`/people.json?${query}`, { signal: leaving.signal }).then(
      ({ value }) => value && setPeople(value),
    );
    return () => leaving.abort();
  }, [query, version]);
  return people;
}
