// A rule as the page changes it: every value that may be a list is one, and spans have both ends.

export interface When {
  event?: string[];
  board?: string[];
  game?: string[];
  player?: string[];
  bot?: boolean;
  segment?: string[];
  dart?: number;
  combination?: string[];
  total?: number;
  range?: Span;
  marks?: Span;
  award?: string[];
  need?: Span;
}

export type Span = [number | undefined, number | undefined];

export interface Wled {
  at: string;
  preset?: number;
  effect?: number;
  palette?: number;
  color?: string;
  brightness?: number;
  off?: boolean;
  seconds?: number;
}

export interface Http {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Mqtt {
  topic: string;
  payload?: unknown;
  retain?: boolean;
}

export interface Rule {
  when: When;
  priority?: number;
  wled?: Wled[];
  http?: Http[];
  mqtt?: Mqtt[];
  sound?: string;
  picture?: string;
  words?: string;
}

/** The lowest and the highest of one number are the same number. */
const SPANS = ["range", "marks", "need"] as const;
const LISTS = ["event", "board", "game", "player", "segment", "combination", "award"] as const;

export const CONDITIONS = [
  "total",
  "range",
  "segment",
  "event",
  "award",
  "need",
  "combination",
  "marks",
  "dart",
  "player",
  "game",
  "board",
  "bot",
] as const satisfies (keyof When)[];
export type Condition = (typeof CONDITIONS)[number];

export const OUTPUTS = ["wled", "sound", "picture", "words", "http", "mqtt"] as const;
export type Output = (typeof OUTPUTS)[number];

/** A rule as it is written in a file, in the form that the page changes. */
export function ruleOf(values: Record<string, unknown>): Rule {
  const when: Record<string, unknown> = { ...(values.when as object | undefined) };
  for (const key of LISTS) if (when[key] !== undefined) when[key] = listed(when[key]);
  for (const key of SPANS) {
    const span = when[key];
    if (span !== undefined) when[key] = Array.isArray(span) ? span : [span, span];
  }
  const rule: Record<string, unknown> = { ...values, when };
  for (const key of ["wled", "http", "mqtt"]) if (rule[key] !== undefined) rule[key] = listed(rule[key]);
  return rule as unknown as Rule;
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** The value with which a condition begins. */
export function firstValue(condition: Condition): When[Condition] {
  switch (condition) {
    case "total":
      return 180;
    case "range":
      return [100, 180];
    case "need":
      return [2, 170];
    case "marks":
      return [5, 9];
    case "dart":
      return 3;
    case "bot":
      return false;
    default:
      return [];
  }
}

/** A rule with one more output, as somebody would go on with it. */
export function withOutput(rule: Rule, output: Output, at = ""): Rule {
  switch (output) {
    case "wled":
      return { ...rule, wled: [...(rule.wled ?? []), { at, effect: 1, color: "#ff0000", seconds: 5 }] };
    case "http":
      return { ...rule, http: [...(rule.http ?? []), { url: "http://" }] };
    case "mqtt":
      return { ...rule, mqtt: [...(rule.mqtt ?? []), { topic: "" }] };
    case "words":
      return { ...rule, words: "$player: $total!" };
    default:
      return { ...rule, [output]: "" };
  }
}

/** The same rule with a single output: what "Try it" beside that output sends. */
export function alone(rule: Rule, output: Output, number: number): Rule {
  const when = Object.values(rule.when).some((value) => value !== undefined) ? rule.when : { total: 180 };
  if (output === "wled" || output === "http" || output === "mqtt") {
    const list: unknown[] = rule[output] ?? [];
    return { when, [output]: [list[number]] };
  }
  return { when, [output]: rule[output] };
}

/** A text as JSON if it is an object or a list, else as it is. */
export function asPayload(text: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Not finished yet, or text that begins like JSON.
    }
  }
  return text;
}

/** A payload as somebody edits it. */
export function payloadText(payload: unknown): string {
  if (payload === undefined || payload === null) return "";
  return typeof payload === "string" ? payload : JSON.stringify(payload);
}

/** The parts of a text with commas, in capitals: `t20, db` are `T20` and `DB`. */
export function bedsOf(text: string): string[] {
  return text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
}
