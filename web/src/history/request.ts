// The history API over HTTP. See `docs/history.md`; no page computes statistics itself.
import { credentials } from "../access";
import { useEffect, useState } from "preact/hooks";

export interface MatchInfo {
  id: string;
  board: string;
  game: string;
  players: string[];
  bots?: Record<string, number>;
  started: string;
  result?: "finished" | "stopped";
  winners?: string[];
  /** The first action from which the record is damaged. */
  damaged?: true;
  first_bad_action?: number;
  /** False: a version without checksums wrote it. */
  checked?: false;
}

export interface MatchRecord extends MatchInfo {
  actions: Record<string, unknown>[];
  /** One before the first action, and one after each. */
  states: number;
}

/** What a game counts: a number, or counts by name. */
export type Figure = number | Record<string, number>;
export type GameFigures = Record<string, Figure>;

/** Each game that counts something has a key by its name. */
export interface PlayerFigures {
  name: string;
  matches: number;
  won: number;
  games: Record<string, number>;
  beds: Record<string, number>;
  awards?: Record<string, number>;
  x01?: {
    average: number;
    first_nine: number;
    darts: number;
    legs: number;
    tons: Record<string, number>;
    best_visit: number;
    checkout_rate?: number;
    best_checkout?: number;
    best_leg?: number;
  };
  cricket?: { mpr: number; rounds: number; best_mpr?: number };
}

export interface HistoryReply {
  ok: boolean;
  id?: string;
  new?: boolean;
  message?: string;
  line?: number;
}

/** The result of a request: nothing yet, a value, or an error message. */
export interface Loaded<T> {
  value?: T;
  problem?: string;
}

export async function request<T>(address: string, options: RequestInit = {}): Promise<Loaded<T>> {
  try {
    const answer = await fetch(address, { ...options, headers: { ...credentials(), ...options.headers } });
    const value = (await answer.json()) as T & HistoryReply;
    return answer.ok ? { value } : { problem: messageOf(value) };
  } catch (error) {
    if (options.signal?.aborted) return {};
    return { problem: String(error) };
  }
}

function messageOf({ line, message }: HistoryReply): string {
  return line === undefined ? (message ?? "") : `${line}: ${message}`;
}

/** Downloads a link's target. Over the network this needs credentials, which a plain link does not send. */
export function saveWithName(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  const headers = credentials();
  if (headers.Authorization === undefined) return;
  event.preventDefault();
  void fetch(link.href, { headers })
    .then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(String(answer.status)))))
    .then((file) => {
      const saved = document.createElement("a");
      saved.href = URL.createObjectURL(file);
      saved.download = link.href.split("/").pop() ?? "match.jsonl";
      saved.click();
      URL.revokeObjectURL(saved.href);
    });
}

/** The value at an address; the last one stays while a new one loads. */
export function useRequest<T>(address: string): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    const leaving = new AbortController();
    void request<T>(address, { signal: leaving.signal }).then((found) => {
      if (!leaving.signal.aborted) setLoaded(found);
    });
    return () => leaving.abort();
  }, [address]);
  return loaded;
}
