/** Questions of a worker to its host, answered in their order and no faster than others can be served beside them. */
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

type Ask = Extract<WorkerLine, { type: "ask" }>;

/** Questions of one worker that are being answered, and their characters: what they say lies in memory meanwhile. */
const MOST_OPEN = 256;
const MOST_OPEN_CHARS = 64 * 1024 * 1024;
/** Pages of checkpoints that may be open at a time: each holds many MB in memory until it is sent. */
const MOST_LARGE = 8;
/** Questions that may wait; with more the worker is not read. */
const MOST_WAITING = 1_024;
const MOST_WAITING_CHARS = 8 * 1024 * 1024;
/** Begun at once. Reading from SQLite takes no turn of its own, so between them it is looked at the time. */
const AT_ONCE = 4;
/** How long the questions of one worker may take of one turn of the event loop, in ms. */
const TURN_MS = 10;

export interface AskQueue {
  add(ask: Ask): void;
  /** Goes on: the worker has read its answers. */
  go(): void;
}

export interface AskQueueOptions {
  /** Never rejects. */
  answer(ask: Ask): Promise<HostMessage>;
  send(message: HostMessage): void;
  /** The worker does not read its answers as fast as it asks. */
  isBehind(): boolean;
  /** Whether the worker is to be read. */
  read(isRead: boolean): void;
}

export function createAskQueue({ answer, send, isBehind, read }: AskQueueOptions): AskQueue {
  const waiting: Ask[] = [];
  let waitingChars = 0;
  let open = 0;
  let openChars = 0;
  let openLarge = 0;
  let isScheduled = false;
  /** When the questions of this turn of the event loop began, in ms. */
  let turn: number | undefined;

  const mayBegin = (): boolean => {
    const [next] = waiting;
    if (!next || open >= MOST_OPEN || isBehind()) return false;
    if (isLarge(next) && openLarge >= MOST_LARGE) return false;
    return open === 0 || openChars + next.size <= MOST_OPEN_CHARS;
  };
  const schedule = (): void => {
    if (isScheduled || !mayBegin()) return;
    isScheduled = true;
    if (turn === undefined) {
      turn = performance.now();
      setImmediate(() => (turn = undefined));
    }
    if (performance.now() - turn < TURN_MS) process.nextTick(go);
    else setImmediate(go);
  };
  const go = (): void => {
    isScheduled = false;
    for (let begun = 0; begun < AT_ONCE && mayBegin(); begun++) {
      const ask = waiting.shift();
      if (ask) void begin(ask);
    }
    if (waiting.length <= MOST_WAITING / 2 && waitingChars <= MOST_WAITING_CHARS / 2) read(true);
    schedule();
  };
  const begin = async (ask: Ask): Promise<void> => {
    waitingChars -= ask.size;
    open++;
    openChars += ask.size;
    if (isLarge(ask)) openLarge++;
    const message = await answer(ask);
    open--;
    openChars -= ask.size;
    if (isLarge(ask)) openLarge--;
    try {
      send(message);
    } catch {
      // What was asked for is longer than a text can be.
      send({ type: "answer", id: ask.id, error: { error: "HostError", message: "The answer is too large" } });
    }
    schedule();
  };

  return {
    add(ask) {
      waiting.push(ask);
      waitingChars += ask.size;
      if (waiting.length > MOST_WAITING || waitingChars > MOST_WAITING_CHARS) read(false);
      schedule();
    },
    go: schedule,
  };
}

function isLarge({ ask }: Ask): boolean {
  return ask.about === "checkpoint" && ask.do === "list";
}
