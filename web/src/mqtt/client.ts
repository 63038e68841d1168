// A connection to the broker over a WebSocket, which comes back every second.
import * as codec from "./codec";

/** The subprotocol of MQTT in a WebSocket, whatever its version. */
const SUBPROTOCOL = "mqtt";

const AGAIN_MS = 1000;
const CONNECT_WITHIN_MS = 4000;
const KEEP_ALIVE_S = 10;

/** How many unacknowledged messages are kept; beyond it the oldest are dropped. */
const MAX_UNACKNOWLEDGED = 100;

/** The WebSocket's own code for a connection that the page closes, which is not an error. */
const NORMAL = 1000;

export interface Message {
  topic: string;
  payload: Uint8Array;
  retain: boolean;
}

interface Options {
  user?: string | undefined;
  password?: string | undefined;
  will?: codec.Connect["will"];
  version?: codec.Version;
  onConnect: () => void;
  /** `code` is that of the WebSocket, `refusal` the broker's reason code if it refused the connection. */
  onClose: (code: number, refusal: number | undefined) => void;
  onMessage: (message: Message) => void;
}

/**
 * Connects at once, and again a second after each loss. Nothing is remembered between connections, except messages with
 * QoS 1 that were not acknowledged: they are sent again.
 */
export class MqttClient {
  version: codec.Version;
  readonly #url: string;
  readonly #options: Options;
  readonly #client = `oche-${[...crypto.getRandomValues(new Uint8Array(8))].map((n) => n.toString(16)).join("")}`;
  /** Messages that the broker has not acknowledged, by packet id. */
  readonly #unacknowledged = new Map<number, codec.Publish>();
  /** What to do when the broker has answered a subscription, by packet id. */
  readonly #waiting = new Map<number, () => void>();
  #socket: WebSocket | undefined;
  #connected = false;
  #ended = false;
  #refusal: number | undefined;
  #lastId = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #answered = true;

  constructor(url: string, options: Options) {
    this.#url = url;
    this.#options = options;
    this.version = options.version ?? 5;
    this.#open();
  }

  /** Subscribes with QoS 1; calls back when the broker has answered. Does nothing without a connection. */
  subscribe(topics: string[], done?: () => void): void {
    if (!this.#connected || topics.length === 0) return;
    const id = this.#nextId();
    if (done) this.#waiting.set(id, done);
    this.#send(codec.subscribe(id, topics, this.version));
  }

  unsubscribe(topic: string): void {
    if (this.#connected) this.#send(codec.unsubscribe(this.#nextId(), [topic], this.version));
  }

  /** Publishes a message; with QoS 1 until the broker has acknowledged it, over reconnects too. */
  publish(topic: string, payload: string, qos: 0 | 1 = 1): void {
    const id = qos ? this.#nextId() : undefined;
    const message = { topic, payload: new TextEncoder().encode(payload), qos, retain: false, duplicate: false, id };
    if (id !== undefined) this.#keep(id, message);
    if (this.#connected) this.#send(codec.publish(message, this.version));
  }

  /** Disconnects for good. */
  end(): void {
    this.#ended = true;
    if (this.#connected) this.#send(codec.disconnect());
    this.#socket?.close(NORMAL);
  }

  #open(): void {
    const socket = new WebSocket(this.#url, SUBPROTOCOL);
    const reader = new codec.Reader(this.version);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#refusal = undefined;
    socket.addEventListener("open", () => {
      const { user, password, will } = this.#options;
      this.#send(codec.connect({ client: this.#client, keepAlive: KEEP_ALIVE_S, user, password, will }, this.version));
    });
    socket.addEventListener("message", ({ data }) => {
      try {
        for (const packet of reader.read(new Uint8Array(data as ArrayBuffer))) this.#take(packet);
      } catch (error) {
        console.warn("the broker's answer cannot be read", error);
        socket.close();
      }
    });
    socket.addEventListener("close", ({ code }) => this.#closed(socket, code));
    this.#timers = [setTimeout(() => this.#abandon(socket), CONNECT_WITHIN_MS)];
  }

  #take(packet: codec.Packet): void {
    switch (packet.type) {
      case "connack":
        if (packet.code) this.#refuse(packet.code);
        else this.#begin();
        return;
      case "publish":
        if (packet.id !== undefined) this.#send(codec.puback(packet.id));
        this.#options.onMessage(packet);
        return;
      case "puback":
        this.#unacknowledged.delete(packet.id);
        return;
      case "suback":
        this.#waiting.get(packet.id)?.();
        this.#waiting.delete(packet.id);
        return;
      case "pingresp":
        this.#answered = true;
        return;
      case "disconnect":
        this.#refuse(packet.code);
        return;
      case "unsuback":
        return;
    }
  }

  #begin(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#connected = true;
    this.#answered = true;
    this.#timers = [setInterval(() => this.#ping(), KEEP_ALIVE_S * 1000)];
    this.#options.onConnect();
    for (const message of this.#unacknowledged.values()) this.#send(codec.publish(message, this.version));
  }

  /** A connection whose last ping was not answered is dead, even if nobody has closed it. */
  #ping(): void {
    if (!this.#answered && this.#socket) return this.#abandon(this.#socket);
    this.#answered = false;
    this.#send(codec.pingreq());
  }

  #refuse(code: number): void {
    this.#refusal = code;
    this.#socket?.close();
  }

  /** Closing waits for the other side, which may be gone: the loss counts from now on. */
  #abandon(socket: WebSocket): void {
    socket.close();
    this.#closed(socket, 1006);
  }

  #closed(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#connected = false;
    this.#waiting.clear();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#options.onClose(code, this.#refusal);
    if (!this.#ended) this.#timers = [setTimeout(() => this.#open(), AGAIN_MS)];
  }

  #send(bytes: Uint8Array): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes as Uint8Array<ArrayBuffer>);
  }

  #keep(id: number, message: codec.Publish): void {
    this.#unacknowledged.set(id, { ...message, duplicate: true });
    const [oldest] = this.#unacknowledged.keys();
    if (this.#unacknowledged.size > MAX_UNACKNOWLEDGED && oldest !== undefined) this.#unacknowledged.delete(oldest);
  }

  /** The next packet id, from 1 to 65535, that no message waits for. */
  #nextId(): number {
    do this.#lastId = (this.#lastId % 65535) + 1;
    while (this.#unacknowledged.has(this.#lastId));
    return this.#lastId;
  }
}
