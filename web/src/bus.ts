// The page's connection to the broker, and the last values of the retained topics.
import type { StoredUser } from "./access";
import { MqttClient } from "./mqtt/client";

/** Retained messages come right after the subscription; a topic without one by then is empty. */
const RETAINED_WITHIN_MS = 300;

/** Topics whose messages are events and not retained. */
const NOT_RETAINED = /\/(event|show|reply)$/;

/** The close code of a WebSocket while the daemon cannot reach its broker. */
const BROKER_AWAY = 4502;

/** The broker's reason codes for wrong credentials and missing rights, in MQTT 3.1.1 and 5. */
const REFUSED_CODES: (number | undefined)[] = [4, 5, 134, 135];

interface Kept {
  value: unknown;
  /** The connection over which it came. */
  epoch: number;
}

type Listener = (value: unknown) => void;

/**
 * Subscribes to `topics`, keeps what is retained and hands on the rest.
 *
 * A value of an earlier connection can be read, for a page that shows it as old, but is not `fresh`; what the broker
 * does not send again is forgotten, for an empty retained topic sends nothing.
 */
export class Bus {
  connected = false;
  /** Whether the retained topics of this connection have been read. */
  settled = false;
  /** How often the broker has refused this browser's user since the last successful connection. */
  refusals = 0;
  /** Connections that have failed since the last one that succeeded. */
  failures = 0;
  /** Whether the daemon's last answer was that it cannot reach its broker. */
  brokerAway = false;
  readonly #client: MqttClient;
  readonly #kept = new Map<string, Kept>();
  readonly #changed = new Set<() => void>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #topics: Set<string>;
  #epoch = 0;

  constructor(url: string, topics: string[], me?: StoredUser) {
    this.#topics = new Set(topics);
    this.#client = new MqttClient(url, {
      user: me?.user,
      password: me?.password,
      onConnect: () => this.#subscribe(),
      onClose: (code, refusal) => this.#lost(code, refusal),
      onMessage: ({ topic, payload, retain }) => this.#take(topic, payload, retain),
    });
  }

  read<T>(topic: string): T | undefined {
    return this.#kept.get(topic)?.value as T | undefined;
  }

  fresh(topic: string): boolean {
    return this.connected && this.#kept.get(topic)?.epoch === this.#epoch;
  }

  /** The matching topics that have a value. */
  topics(pattern: RegExp): string[] {
    return [...this.#kept.keys()].filter((topic) => pattern.test(topic));
  }

  /** Calls back when a retained value or the connection has changed. Returns the function that ends it. */
  onChange(callback: () => void): () => void {
    this.#changed.add(callback);
    return () => this.#changed.delete(callback);
  }

  /** Passes on every message of a topic that is not retained. Returns the function that ends it. */
  listen(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  send(topic: string, payload: unknown): void {
    this.#client.publish(topic, JSON.stringify(payload));
  }

  /** Subscribes to one more topic. Returns the function that ends it and drops the topic's value. */
  follow(topic: string): () => void {
    this.#topics.add(topic);
    if (this.connected) this.#client.subscribe([topic]);
    return () => {
      this.#topics.delete(topic);
      if (this.connected) this.#client.unsubscribe(topic);
      this.#kept.delete(topic);
      this.#notify();
    };
  }

  #subscribe(): void {
    const epoch = ++this.#epoch;
    this.refusals = 0;
    this.failures = 0;
    this.brokerAway = false;
    this.connected = true;
    this.settled = false;
    this.#client.subscribe([...this.#topics], () => setTimeout(() => this.#settle(epoch), RETAINED_WITHIN_MS));
    this.#notify();
  }

  #settle(epoch: number): void {
    if (epoch !== this.#epoch || !this.connected) return;
    for (const [topic, kept] of this.#kept) if (kept.epoch !== epoch) this.#kept.delete(topic);
    this.settled = true;
    this.#notify();
  }

  #lost(code: number, refusal: number | undefined): void {
    // A broker without MQTT 5 refuses the connection; until one succeeds, both versions are tried in turn.
    if (this.#epoch === 0) this.#client.version = this.#client.version === 5 ? 4 : 5;
    if (REFUSED_CODES.includes(refusal)) this.refusals += 1;
    this.brokerAway = code === BROKER_AWAY;
    this.connected = false;
    this.settled = false;
    this.failures += 1;
    this.#notify();
  }

  #take(topic: string, payload: Uint8Array, retained: boolean): void {
    const value = parse(payload);
    if (NOT_RETAINED.test(topic)) {
      // Events are never retained: a retained one is someone's mistake, and is ignored.
      if (!retained && value !== undefined) for (const listener of this.#listeners.get(topic) ?? []) listener(value);
      return;
    }
    if (value === undefined) this.#kept.delete(topic);
    else this.#kept.set(topic, { value, epoch: this.#epoch });
    this.#notify();
  }

  #notify(): void {
    for (const callback of this.#changed) callback();
  }
}

/** The JSON of a message; undefined for an empty one, which clears its topic, and for invalid JSON. */
function parse(payload: Uint8Array): unknown {
  if (payload.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined;
  }
}
