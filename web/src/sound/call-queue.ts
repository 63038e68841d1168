// The one queue of all that is spoken: the most important call first, and none later than one dart after its own.

/** A piece of a call. With all of its `files` in the caller's pack they are played, else the text is spoken. */
export interface Part {
  text: string;
  files: string[];
}

export interface Call {
  parts: Part[];
  /** Of the calls that wait the one with the highest is next; of equal ones the oldest. */
  priority: number;
}

/** Speaks a call: `done` when it has ended, or was ended by `stop`. */
export type Speak = (call: Call) => { done: Promise<void>; stop: () => void };

/** How many darts may land between what a call is about and its end. */
const LATEST_DARTS = 1;
/** How many calls of a match may wait; beyond it the least important one is dropped. */
const MOST = 4;

export class CallQueue {
  readonly #speak: Speak;
  readonly #most: number;
  #waiting: { call: Call; dart: number }[] = [];
  #now: { dart: number; stop: () => void } | undefined;
  #darts = 0;

  constructor(speak: Speak, most = MOST) {
    this.#speak = speak;
    this.#most = most;
  }

  add(call: Call): void {
    const dart = this.#darts;
    const later = this.#waiting.findIndex((other) => other.call.priority < call.priority);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, { call, dart });
    this.#waiting.length = Math.min(this.#waiting.length, this.#most);
    this.#next();
  }

  /** A dart has landed: calls that are too late now are dropped, also the one that is being spoken. */
  dart(): void {
    this.#darts++;
    this.#waiting = this.#waiting.filter(({ dart }) => !this.#isLate(dart));
    if (this.#now && this.#isLate(this.#now.dart)) this.#now.stop();
  }

  /** Drops what waits: it is about darts that were taken back. */
  clear(): void {
    this.#waiting = [];
  }

  /** Drops everything. */
  stop(): void {
    this.clear();
    this.#now?.stop();
  }

  #isLate(dart: number): boolean {
    return this.#darts - dart > LATEST_DARTS;
  }

  #next(): void {
    if (this.#now) return;
    const next = this.#waiting.shift();
    if (!next) return;
    const { done, stop } = this.#speak(next.call);
    const now = { dart: next.dart, stop };
    this.#now = now;
    void done.then(() => {
      if (this.#now === now) this.#now = undefined;
      this.#next();
    });
  }
}
