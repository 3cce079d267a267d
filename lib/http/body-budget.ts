/** How much of request bodies the server holds at a time, and who may work on a large one. */
import { Fault } from "../protocol/faults.ts";

/** Bodies up to this size neither count nor wait. */
const SMALL_BYTES = 64 * 1024;
/** Bodies beyond this size are parsed one after the other. */
export const LARGE_BYTES = 256 * 1024;
/** How long a body may take before it holds no more of the budget than has come of it. */
const PROMPT_MS = 5_000;
/** Longest turn: whatever still goes on with a large body then no longer keeps the next one waiting. */
const TURN_MS = 5_000;
const RETRY_SECONDS = 2;

export interface BodyBudget {
  open(): BodyLease;
}

/** What the body of one request holds: nothing, before anything is asked for. */
export interface BodyLease {
  /** Makes room for a body of this length, before it is read. Faults: `unavailable`. */
  expect(bytes: number): void;
  /** So much has come in all. Faults: `unavailable`. */
  grow(bytes: number): void;
  /** Resolves when no other large body is being worked on. It resolves at once while this one's turn lasts. */
  turn(): Promise<void>;
  /** The next large body may be worked on; this one may ask for another turn. */
  endTurn(): void;
  /** The body has become what is stored or sent. May be called again. */
  close(): void;
}

export function createBodyBudget(total: number): BodyBudget {
  const room = { free: total };
  const turns = createTurns();
  return { open: () => new Lease(room, turns) };
}

class Lease implements BodyLease {
  readonly #room: { free: number };
  readonly #turns: Turns;
  #held = 0;
  #come = 0;
  #late: NodeJS.Timeout | undefined;
  #endTurn: (() => void) | undefined;
  #closed = false;

  constructor(room: { free: number }, turns: Turns) {
    this.#room = room;
    this.#turns = turns;
  }

  expect(bytes: number): void {
    if (bytes <= SMALL_BYTES || bytes <= this.#held) return;
    this.#take(bytes - this.#held);
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#hold(this.#come), PROMPT_MS).unref();
  }

  grow(bytes: number): void {
    this.#come = bytes;
    if (bytes > SMALL_BYTES && bytes > this.#held) this.#take(bytes - this.#held);
  }

  async turn(): Promise<void> {
    if (this.#closed || this.#endTurn) return;
    const end = await this.#turns.next();
    if (this.#closed) end();
    else this.#endTurn = end;
  }

  endTurn(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#late);
    this.#hold(0);
    this.endTurn();
  }

  #take(bytes: number): void {
    if (bytes > this.#room.free) {
      throw new Fault("unavailable", "The server is busy with other large requests: try again", {
        retryAfter: RETRY_SECONDS,
      });
    }
    this.#hold(this.#held + bytes);
  }

  #hold(bytes: number): void {
    this.#room.free += this.#held - bytes;
    this.#held = bytes;
  }
}

interface Turns {
  /** Resolves with what ends the turn. */
  next(): Promise<() => void>;
}

function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let taken = false;
  const begin = (): (() => void) => {
    taken = true;
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      const next = waiting.shift();
      // The next body waits for a turn of the event loop: other requests are answered in between.
      if (next) setImmediate(next);
      else taken = false;
    };
    const timer = setTimeout(end, TURN_MS).unref();
    return end;
  };
  return {
    next: () => {
      if (!taken) return Promise.resolve(begin());
      return new Promise((resolve) => waiting.push(() => resolve(begin())));
    },
  };
}
