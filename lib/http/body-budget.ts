/** Limits the bytes of request bodies that the server holds at a time, and parses large ones one by one. */
import { Fault } from "../protocol/faults.ts";

/** Bodies up to this size neither count against the budget nor wait. */
const SMALL_BYTES = 64 * 1024;
/** Bodies larger than this are parsed one after the other. */
export const LARGE_BYTES = 256 * 1024;
/** After this time a body that is still arriving holds only as much of the budget as has arrived. */
const PROMPT_MS = 5_000;
/** The longest turn. Work on a large body that takes longer no longer keeps the next body waiting. */
const TURN_MS = 5_000;
const RETRY_SECONDS = 2;

export interface BodyBudget {
  open(): BodyLease;
}

/** The part of the budget that the body of one request holds. At first it holds nothing. */
export interface BodyLease {
  /** Reserves this length for a body before it is read. Faults: `unavailable`. */
  expect(bytes: number): void;
  /** Reports how many bytes have arrived in all. Faults: `unavailable`. */
  grow(bytes: number): void;
  /** Resolves when no other large body is being worked on. It resolves at once while this one's turn lasts. */
  turn(): Promise<void>;
  /** Lets the next large body have its turn. This one may ask for another turn. */
  endTurn(): void;
  /** Gives everything back: the body has been stored or sent. May be called again. */
  close(): void;
}

export function createBodyBudget(total: number): BodyBudget {
  const budget = { free: total };
  const turns = createTurns();
  return { open: () => new Lease(budget, turns) };
}

class Lease implements BodyLease {
  readonly #budget: { free: number };
  readonly #turns: Turns;
  #held = 0;
  #arrived = 0;
  #late: NodeJS.Timeout | undefined;
  #endTurn: (() => void) | undefined;
  #closed = false;

  constructor(budget: { free: number }, turns: Turns) {
    this.#budget = budget;
    this.#turns = turns;
  }

  expect(bytes: number): void {
    if (bytes <= SMALL_BYTES || bytes <= this.#held) return;
    this.#take(bytes - this.#held);
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#hold(this.#arrived), PROMPT_MS).unref();
  }

  grow(bytes: number): void {
    this.#arrived = bytes;
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
    if (bytes > this.#budget.free) {
      throw new Fault("unavailable", "The server is busy with other large requests: try again", {
        retryAfter: RETRY_SECONDS,
      });
    }
    this.#hold(this.#held + bytes);
  }

  #hold(bytes: number): void {
    this.#budget.free += this.#held - bytes;
    this.#held = bytes;
  }
}

interface Turns {
  /** Resolves with a function that ends the turn. */
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
      // The next body waits for a turn of the event loop, so that other requests are answered in between.
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
