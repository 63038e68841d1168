// Packets of MQTT 5 and 3.1.1 (OASIS standards), as far as a page needs them: QoS 0 and 1, no properties of its own.

export type Version = 4 | 5;

export interface Connect {
  client: string;
  keepAlive: number;
  user?: string | undefined;
  password?: string | undefined;
  will?: { topic: string; payload: Uint8Array; qos: 0 | 1; retain: boolean } | undefined;
}

export interface Publish {
  topic: string;
  payload: Uint8Array;
  qos: 0 | 1;
  retain: boolean;
  duplicate: boolean;
  /** Packets with QoS 1 alone have one. */
  id?: number | undefined;
}

/** What a broker sends. */
export type Packet =
  | { type: "connack"; code: number }
  | ({ type: "publish" } & Publish)
  | { type: "puback"; id: number; code: number }
  | { type: "suback"; id: number; codes: number[] }
  | { type: "unsuback"; id: number }
  | { type: "pingresp" }
  | { type: "disconnect"; code: number };

const CONNECT = 1;
const CONNACK = 2;
const PUBLISH = 3;
const PUBACK = 4;
const SUBSCRIBE = 8;
const SUBACK = 9;
const UNSUBSCRIBE = 10;
const UNSUBACK = 11;
const PINGREQ = 12;
const PINGRESP = 13;
const DISCONNECT = 14;

/** A larger packet is an error; the daemon's broker takes and sends 128 KiB at most. */
export const MAX_PACKET = 4 * 1024 * 1024;

const MAX_TEXT = 65535;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The packet that opens a connection, without a session of an earlier one. */
export function connect({ client, keepAlive, user, password, will }: Connect, version: Version): Uint8Array {
  const flags =
    2 |
    (will ? 4 | (will.qos << 3) | (will.retain ? 32 : 0) : 0) |
    (password === undefined ? 0 : 64) |
    (user === undefined ? 0 : 128);
  return packet(
    CONNECT << 4,
    text("MQTT"),
    [version, flags],
    number(keepAlive),
    none(version),
    text(client),
    ...(will ? [none(version), text(will.topic), binary(will.payload)] : []),
    ...(user === undefined ? [] : [text(user)]),
    ...(password === undefined ? [] : [text(password)]),
  );
}

export function publish({ topic, payload, qos, retain, duplicate, id }: Publish, version: Version): Uint8Array {
  const flags = (duplicate ? 8 : 0) | (qos << 1) | (retain ? 1 : 0);
  return packet((PUBLISH << 4) | flags, text(topic), qos ? number(id ?? 0) : [], none(version), payload);
}

export function subscribe(id: number, topics: string[], version: Version): Uint8Array {
  const filters = topics.flatMap((topic) => [text(topic), [1]]);
  return packet((SUBSCRIBE << 4) | 2, number(id), none(version), ...filters);
}

export function unsubscribe(id: number, topics: string[], version: Version): Uint8Array {
  return packet((UNSUBSCRIBE << 4) | 2, number(id), none(version), ...topics.map(text));
}

export function puback(id: number): Uint8Array {
  return packet(PUBACK << 4, number(id));
}

export function pingreq(): Uint8Array {
  return packet(PINGREQ << 4);
}

export function disconnect(): Uint8Array {
  return packet(DISCONNECT << 4);
}

/** Cuts what arrives into packets. The pieces may end anywhere. */
export class Reader {
  #rest = new Uint8Array(0);
  readonly #version: Version;

  constructor(version: Version) {
    this.#version = version;
  }

  /** The packets that are complete now. Throws an Error if the bytes are not MQTT; then the connection is of no use. */
  read(piece: Uint8Array): Packet[] {
    const bytes = this.#rest.length ? joined([this.#rest, piece]) : piece;
    const found: Packet[] = [];
    let at = 0;
    for (;;) {
      const length = lengthAt(bytes, at + 1);
      if (length === undefined || length.end + length.value > bytes.length) break;
      const end = length.end + length.value;
      const packet = parse(bytes[at] as number, bytes.subarray(length.end, end), this.#version);
      if (packet) found.push(packet);
      at = end;
    }
    this.#rest = bytes.slice(at);
    return found;
  }
}

/** A variable byte integer; undefined while it is incomplete. */
function lengthAt(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) return undefined;
    value += (byte & 127) * 128 ** i;
    if (byte < 128) {
      if (value > MAX_PACKET) throw new Error(`a packet of ${value} bytes`);
      return { value, end: start + i + 1 };
    }
  }
  throw new Error("a length of more than four bytes");
}

function parse(head: number, body: Uint8Array, version: Version): Packet | undefined {
  const at = new Cursor(body);
  switch (head >> 4) {
    case CONNACK:
      at.byte();
      return { type: "connack", code: at.byte() };
    case PUBLISH: {
      const qos = (head >> 1) & 3;
      if (qos > 1) throw new Error("a message with QoS 2, which was not asked for");
      const topic = at.text();
      const id = qos ? at.number() : undefined;
      if (version === 5) at.skipProperties();
      const flags = { retain: (head & 1) > 0, duplicate: (head & 8) > 0 };
      return { type: "publish", topic, payload: at.rest(), qos: qos as 0 | 1, id, ...flags };
    }
    case PUBACK:
      return { type: "puback", id: at.number(), code: at.left ? at.byte() : 0 };
    case SUBACK: {
      const id = at.number();
      if (version === 5) at.skipProperties();
      return { type: "suback", id, codes: [...at.rest()] };
    }
    case UNSUBACK:
      return { type: "unsuback", id: at.number() };
    case PINGRESP:
      return { type: "pingresp" };
    case DISCONNECT:
      return { type: "disconnect", code: at.left ? at.byte() : 0 };
    default:
      throw new Error(`a packet of type ${head >> 4}, which no broker sends here`);
  }
}

/** Reads the fields of one packet. Each method throws an Error where the packet is too short. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.#take(1)[0] as number;
  }

  number(): number {
    return this.byte() * 256 + this.byte();
  }

  text(): string {
    return decoder.decode(this.#take(this.number()));
  }

  skipProperties(): void {
    const length = lengthAt(this.#bytes, this.#at);
    if (length === undefined) throw new Error("a packet that ends too early");
    this.#at = length.end;
    this.#take(length.value);
  }

  rest(): Uint8Array {
    return this.#take(this.left);
  }

  #take(count: number): Uint8Array {
    if (count > this.left) throw new Error("a packet that ends too early");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

type Bytes = Uint8Array | number[];

function packet(head: number, ...parts: Bytes[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return joined([[head, ...variable(length)], ...parts]);
}

function variable(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...variable(Math.floor(value / 128))];
}

function number(value: number): number[] {
  return [value >> 8, value & 255];
}

function text(value: string): Uint8Array {
  return binary(encoder.encode(value));
}

function binary(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_TEXT) throw new RangeError(`a field of ${bytes.length} bytes; ${MAX_TEXT} is the most`);
  return joined([number(bytes.length), bytes]);
}

/** Version 5 has properties in most packets; this client sends none. */
function none(version: Version): number[] {
  return version === 5 ? [0] : [];
}

function joined(parts: Bytes[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
