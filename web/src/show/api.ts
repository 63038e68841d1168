// What the page asks of the daemon: the rules, what can be named in them, the lights of the network, and trials.
import { credentials } from "../access";
import type { Rule } from "./rule";

export interface Mistake {
  path: (string | number)[];
  message: string;
}

export interface Stored {
  values: Record<string, unknown>;
  mistakes: Mistake[];
}

export interface ShowState {
  version: string;
  rules: Stored[];
  /** The rules of the configuration, which this page does not change. */
  configured: Record<string, unknown>[];
  problem?: string;
  files: { sounds: string[]; pictures: string[] };
  folder: string;
  boards: string[];
  events: string[];
  awards: string[];
}

export interface Outcome {
  output: string;
  number?: number;
  /** Why it was not done. */
  message?: string;
}

export interface FoundLight {
  name: string;
  at: string;
}

export interface Named {
  id: number;
  name: string;
}

export interface LightLists {
  name: string;
  presets: Named[];
  effects: Named[];
  palettes: Named[];
}

/** The answer to a request: a value, or a message, and the mistakes of a rule. */
export interface Answer<T> {
  value?: T;
  problem?: string;
  mistakes?: Mistake[];
}

/** Milliseconds after which a request is given up: a large upload over slow Wi-Fi may take most of them. */
const LIMIT = 60_000;

export async function ask<T>(path: string, options: RequestInit = {}): Promise<Answer<T>> {
  try {
    const answer = await fetch(path, { ...options, headers: credentials(), signal: AbortSignal.timeout(LIMIT) });
    const value = (await answer.json()) as T & { ok?: boolean; message?: string; mistakes?: Mistake[] };
    if (answer.ok && value.ok !== false) return { value };
    const problem = value.message ?? String(answer.status);
    return value.mistakes === undefined ? { problem } : { problem, mistakes: value.mistakes };
  } catch (error) {
    return { problem: String(error) };
  }
}

function post<T>(path: string, body: unknown): Promise<Answer<T>> {
  return ask<T>(path, { method: "POST", body: JSON.stringify(body) });
}

export const loadRules = () => ask<ShowState>("/show.json");

/** Replaces the rule `at`, adds one without `at`, removes one without `rule`. */
export const changeRules = (version: string, at: number | undefined, rule: Rule | undefined) =>
  post<ShowState>("/show.json", { version, at: at ?? null, rule: rule ?? null });

export const tryRule = (rule: unknown) => post<{ results: Outcome[] }>("/show/try", { rule });

export const findLights = () => post<{ lights: FoundLight[] }>("/show/lights", {});

export const listsOf = (at: string) => post<LightLists>("/show/lights", { at });
