// The history API over HTTP. See `docs/history.md`; no page computes statistics itself.
import { credentials } from "../access";
import { useEffect, useState } from "preact/hooks";
import { refusalText } from "../text";

/** What a player threw in a leg, or in a match. */
export interface Thrown {
  name: string;
  average?: number;
  first_nine?: number;
  checkout_rate?: number;
  best_visit?: number;
  best_checkout?: number;
  best_leg?: number;
  darts?: number;
  mpr?: number;
}

export interface PlayerResult extends Thrown {
  won: boolean;
  team?: number;
  score?: number;
  sets?: number;
  legs?: number;
}

export interface LegInfo {
  game: string;
  /** The number of the state with which it begins. */
  begins: number;
  winners: string[];
  shared?: true;
  players: Thrown[];
}

export interface MatchInfo {
  id: string;
  board: string;
  game: string;
  players: string[];
  options: Record<string, unknown>;
  bots?: Record<string, number>;
  started: string;
  result?: "finished" | "stopped";
  winners?: string[];
  results?: PlayerResult[];
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
  legs?: LegInfo[];
}

export interface Choice {
  name: string;
  matches: number;
}

export interface Choices {
  matches: number;
  boards: Choice[];
  games: Choice[];
  players: Choice[];
  formats: Choice[];
}

/** What a game counts: a number or a word, the last results, or counts by name. */
export type Figure = number | string | number[] | Record<string, number | Record<string, number>>;
export type GameFigures = Record<string, Figure>;

/** Each game that counts something has a key by its name. */
export interface PlayerFigures {
  name: string;
  matches: number;
  won: number;
  /** Matches that had nobody to beat. */
  alone?: number;
  games: Record<string, number>;
  beds: Record<string, number>;
  awards?: Record<string, number>;
  /** Over all games. */
  rating?: { points: number; error: number; least: number; matches: number };
  classes?: { x01?: number; cricket?: number; overall?: number; flight?: string };
  x01?: {
    average: number;
    ppd: number;
    first_nine: number;
    darts: number;
    legs: number;
    tons: Record<string, number>;
    best_visit: number;
    checkout_rate?: number;
    best_checkout?: number;
    best_leg?: number;
    doubles?: Record<string, { hit: number; thrown: number }>;
  };
  cricket?: { mpr: number; rounds: number; best_mpr?: number };
}

export interface Averages {
  average?: number;
  mpr?: number;
}

export interface Opponent extends Averages {
  name: string;
  matches: number;
  won: number;
  lost: number;
  their_average?: number;
  their_mpr?: number;
}

export interface BestOne {
  value: number;
  started: string;
  match: string;
  game: string;
}

export interface Person extends PlayerFigures {
  form: (Thrown & { match: string; started: string; game: string; won: boolean })[];
  months: (Averages & { month: string; matches: number; won: number })[];
  opponents: Opponent[];
  /** By kind; `leg` is in darts. */
  bests: Record<string, BestOne[]>;
  /** Absent while matches are being counted. */
  achievements?: Earned[];
}

/** An achievement, with its word in each language, and the match in which it was reached. */
export interface Earned {
  key: string;
  title: Record<string, string>;
  match: string;
  started: string;
}

/** A player on a leaderboard; of the rating with its error, and what the period has changed. */
export interface LeaderLine {
  name: string;
  value: number;
  matches: number;
  error?: number;
  gain?: number;
}

/** Without a game it is the rating, or matches won. */
export interface Leaders {
  boards: { game?: string; figure: string; players: LeaderLine[] }[];
}

/** A player's hand in mm, and what follows from it; see `docs/twin.md`. */
export interface HandPage {
  state: "ready" | "computing" | "few" | "not_installed" | "failed";
  /** The command that installs numpy, where it is missing. */
  install?: string;
  darts?: number;
  needed?: number;
  hand?: HandRates & { error: HandRates };
  /** Where a dart brings the most points: mm to the right and up from the centre. */
  best?: { x_mm: number; y_mm: number; bed: string; points: number };
  at_t20?: number;
  average?: { expected: number; thrown?: number };
  routes?: { left: number; own: string[]; standard: string[]; darts: number }[];
  costly?: { match: string; left: number; darts: number; bed: string; cost: number };
  practice?: {
    kind: "triples" | "doubles" | "bull" | "singles";
    darts: number;
    hit: number;
    expected: number;
    drill: string;
  };
  months?: { month: string; darts: number; skill_mm: number; error: number }[];
}

/** What the newest darts say of the beds of a board; see `docs/twin.md`. */
export interface BoardHealth {
  state: HandPage["state"];
  install?: string;
  darts?: number;
  players?: number;
  needed?: number;
  /** Whether the lines of its matrix were judged as well. */
  lines?: boolean;
  faults?: BoardFault[];
}

/** A bed or a line that was hit too rarely, or a bed that counted `seen` of its `expected` darts twice. */
export interface BoardFault {
  kind: "bed" | "line" | "doubled";
  name: string;
  beds: string[];
  seen: number;
  expected: number;
  chance?: number;
}

interface HandRates {
  x_mm: number;
  y_mm: number;
  tilt: number;
  right_mm: number;
  up_mm: number;
  skill_mm: number;
}

export interface HistoryReply {
  ok: boolean;
  id?: string;
  new?: boolean;
  reason?: string;
  message?: string;
  line?: number;
}

/** The result of a request: nothing yet, a value, or an error message. */
export interface Loaded<T> {
  value?: T;
  problem?: string;
  /** When to ask again for what is being counted. */
  againMs?: number;
}

export async function request<T>(address: string, options: RequestInit = {}): Promise<Loaded<T>> {
  try {
    const answer = await fetch(address, { ...options, headers: { ...credentials(), ...options.headers } });
    const value = (await answer.json()) as T & HistoryReply;
    const again = Number(answer.headers.get("Retry-After"));
    return { ...(answer.ok ? { value } : { problem: messageOf(value) }), ...(again > 0 && { againMs: again * 1000 }) };
  } catch (error) {
    if (options.signal?.aborted) return {};
    return { problem: String(error) };
  }
}

function messageOf({ line, reason = "", message = "" }: HistoryReply): string {
  if (line !== undefined) return `${line}: ${message}`;
  // The message names the file that could not be written or removed.
  return reason === "disk" ? message : refusalText({ reason, message }, "history");
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
      saved.download = new URL(link.href).pathname.split("/").pop() ?? "match.jsonl";
      saved.click();
      URL.revokeObjectURL(saved.href);
    });
}

/**
 * The value at an address; the last one stays while a new one loads. With `everyMs` it is asked for again and again,
 * and figures that are being counted are asked for until they are there.
 */
export function useRequest<T>(address: string, everyMs?: number): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (first: boolean) => {
      const found = await request<T>(address, { signal: leaving.signal });
      if (leaving.signal.aborted) return;
      // A daemon that restarts empties no screen.
      setLoaded((last) => (first || found.problem === undefined ? found : { ...last, ...found }));
      const wait = found.againMs ?? everyMs;
      if (wait !== undefined) timer = setTimeout(() => void ask(false), wait);
    };
    void ask(true);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [address, everyMs]);
  return loaded;
}
