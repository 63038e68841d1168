// One board with its match: the topics under `oche/<node>/board/<board>/`.
import { useLayoutEffect, useState } from "preact/hooks";
import { storedUser } from "./access";
import type { Bus } from "./bus";
import { asPlayed } from "./match";
import type {
  BoardStatus,
  Command,
  Hand,
  Match,
  MatchEvent,
  Newcomer,
  NodeStatus,
  Pairing,
  Reply,
  Shown,
} from "./match";

/** Time allowed for a reply before the page reports that none came. */
const ANSWER_WITHIN_MS = 4000;

/** The same for an invitation: the other house is asked twice, for up to eight seconds each. */
const ACCEPT_WITHIN_MS = 20_000;

/** The same for a hint, which a small machine may work out for several seconds the first time. */
const HINT_WITHIN_MS = 60_000;

/** The same for a fair handicap, for which thousands of matches are played out. */
const FAIR_WITHIN_MS = 600_000;

/** How many ids of events are remembered, to ignore an event that is published again. */
const REMEMBERED_EVENTS = 200;

export class BoardClient {
  readonly bus: Bus;
  readonly node: string;
  readonly board: string;
  readonly #prefix: string;
  readonly #me = storedUser();

  constructor(bus: Bus, node: string, board: string) {
    this.bus = bus;
    this.node = node;
    this.board = board;
    this.#prefix = `oche/${node}/board/${board}`;
  }

  get status(): BoardStatus | undefined {
    return this.bus.read<BoardStatus>(`${this.#prefix}/status`);
  }

  /** The boards of this node. */
  get boards(): string[] {
    return this.bus.read<NodeStatus>(`oche/${this.node}/status`)?.boards ?? [];
  }

  /** What the player in this seat, from 1, may see; a user with the role player has it under their name. */
  hand(seat: number): Hand | undefined {
    return this.bus.read<Hand>(this.#hand(seat));
  }

  /** Subscribes to a seat's hand. Returns the function that ends it. */
  followHand(seat: number): () => void {
    return this.bus.follow(this.#hand(seat));
  }

  /** The unconfirmed users. */
  get newcomers(): Newcomer[] {
    return this.bus.read<{ users: Newcomer[] }>(`oche/${this.node}/unconfirmed`)?.users ?? [];
  }

  /** The player's pairing code, if the pages are open to the network. Only referees can read it. */
  get pairing(): Pairing | undefined {
    return this.bus.read<Pairing>(`oche/${this.node}/pairing`);
  }

  /** The only player for whom this browser may act. */
  get player(): string | undefined {
    return this.#me?.role === "player" ? this.#me.user : undefined;
  }

  #hand(seat: number): string {
    return `${this.#prefix}/hand/${this.player ?? seat}`;
  }

  /** Whether the node is there and has no board of this name. */
  get unknown(): boolean {
    return this.live && this.bus.settled && this.status === undefined;
  }

  get match(): Match | undefined {
    return asPlayed(this.bus.read<Match>(`${this.#prefix}/match`));
  }

  /** Whether the state is current: the daemon is there, and the state came over this connection. */
  get live(): boolean {
    const online = this.bus.read<NodeStatus>(`oche/${this.node}/status`)?.state === "online";
    const fresh = this.match ? this.bus.fresh(`${this.#prefix}/match`) : this.bus.settled;
    return online && fresh && this.bus.fresh(`oche/${this.node}/status`);
  }

  /** Passes on each event once: one that is published again has the same id. Returns the function that ends it. */
  onEvent(listener: (event: MatchEvent) => void): () => void {
    return this.#onEach("event", listener);
  }

  /** Passes on what rules of the configuration show, each once. Returns the function that ends it. */
  onShow(listener: (shown: Shown) => void): () => void {
    return this.#onEach("show", listener);
  }

  #onEach<T extends { id: string }>(leaf: string, listener: (message: T) => void): () => void {
    return onEach(this.bus, `${this.#prefix}/${leaf}`, listener);
  }

  /** Sends a command and waits for its reply; undefined if none came. */
  command(command: Command): Promise<Reply | undefined> {
    const id = commandId();
    return new Promise((resolve) => {
      const done = (reply?: Reply) => {
        clearTimeout(timer);
        stop();
        resolve(reply);
      };
      const stop = this.bus.listen(`${this.#prefix}/reply`, (value) => {
        if ((value as Reply).id === id) done(value as Reply);
      });
      const timer = setTimeout(done, answerWithin(command));
      const own = this.player === undefined ? "" : `/${this.player}`;
      this.bus.send(`${this.#prefix}/command${own}`, { id, ...command });
    });
  }
}

/** Passes on each message of a topic once: one that is published again has the same id. Returns the function that ends it. */
export function onEach<T extends { id: string }>(bus: Bus, topic: string, listener: (message: T) => void): () => void {
  const seen: string[] = [];
  return bus.listen(topic, (value) => {
    const message = value as T;
    if (seen.includes(message.id)) return;
    seen.push(message.id);
    if (seen.length > REMEMBERED_EVENTS) seen.shift();
    listener(message);
  });
}

function answerWithin(command: Command): number {
  if ("fair" in command) return FAIR_WITHIN_MS;
  if ("accept" in command) return ACCEPT_WITHIN_MS;
  return "hint" in command ? HINT_WITHIN_MS : ANSWER_WITHIN_MS;
}

// `crypto.randomUUID` is missing on pages that come over plain HTTP from another machine.
function commandId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Renders the component again whenever the bus has changed. */
export function useBus(bus: Bus): void {
  const [, redraw] = useState(0);
  // Not after the next paint: the last retained message can arrive until then, and nothing would draw it.
  useLayoutEffect(() => bus.onChange(() => redraw((n) => n + 1)), [bus]);
}

/** The topics of a node that a page subscribes to: those of its own board, or without one the states of all boards. */
export function topicsOf(node: string, board?: string): string[] {
  const leaves = board === undefined ? ["status", "match"] : ["status", "match", "event", "show", "reply"];
  return [
    `oche/${node}/status`,
    `oche/${node}/pairing`,
    `oche/${node}/unconfirmed`,
    ...leaves.map((leaf) => `oche/${node}/board/${board ?? "+"}/${leaf}`),
  ];
}

/** The topics of the wall: the states of all boards, and what rules show. */
export function wallTopics(node: string): string[] {
  return [...viewTopics(node), `oche/${node}/board/+/show`];
}

/** The topics of the tournament's page. */
export function tournamentTopics(node: string): string[] {
  return [`oche/${node}/status`, `oche/${node}/tournament`, `oche/${node}/tournament/event`];
}

/** The topics of a page that only looks, at one board or at all of them: their states, no events, and no codes. */
export function viewTopics(node: string, board = "+"): string[] {
  return [`oche/${node}/status`, ...["status", "match"].map((leaf) => `oche/${node}/board/${board}/${leaf}`)];
}
