/** Queues the requests of one worker to its host. They are started in order, and leave time for other work. */
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

type HostRequestLine = Extract<WorkerLine, { type: "ask" }>;

/** The most requests that are being answered, and their characters: their content is in memory meanwhile. */
const MOST_OPEN = 256;
const MOST_OPEN_CHARS = 64 * 1024 * 1024;
/** The most pages of checkpoints that are read at a time. Each takes many MB of memory until it is sent. */
const MOST_LARGE = 8;
/** The most requests that wait. With more, the worker's messages are not read. */
const MOST_WAITING = 1_024;
const MOST_WAITING_CHARS = 8 * 1024 * 1024;
/** The number of requests started between two looks at the clock: reads from SQLite block the event loop. */
const AT_ONCE = 4;
/** The time that the requests of one worker may take of one turn of the event loop, in ms. */
const TURN_MS = 10;

export interface HostRequestQueue {
  add(request: HostRequestLine): void;
  /** Starts further requests, after the worker has read its answers. */
  resume(): void;
}

export interface HostRequestQueueOptions {
  /** Never rejects. */
  answer(request: HostRequestLine): Promise<HostMessage>;
  send(message: HostMessage): void;
  /** True while the worker sends requests faster than it reads the answers. */
  isBehind(): boolean;
  /** Sets whether the worker's messages are read. */
  setReading(isReading: boolean): void;
}

export function createHostRequestQueue(options: HostRequestQueueOptions): HostRequestQueue {
  const { answer, send, isBehind, setReading } = options;
  const waiting: HostRequestLine[] = [];
  let waitingChars = 0;
  let open = 0;
  let openChars = 0;
  let openLarge = 0;
  let isScheduled = false;
  /** The time at which the first request of this turn of the event loop was started, in ms. */
  let turnStart: number | undefined;

  const mayStart = (): boolean => {
    const [next] = waiting;
    if (!next || open >= MOST_OPEN || isBehind()) return false;
    if (isLarge(next) && openLarge >= MOST_LARGE) return false;
    return open === 0 || openChars + next.size <= MOST_OPEN_CHARS;
  };
  const schedule = (): void => {
    if (isScheduled || !mayStart()) return;
    isScheduled = true;
    if (turnStart === undefined) {
      turnStart = performance.now();
      setImmediate(() => (turnStart = undefined));
    }
    if (performance.now() - turnStart < TURN_MS) process.nextTick(startNext);
    else setImmediate(startNext);
  };
  const startNext = (): void => {
    isScheduled = false;
    for (let started = 0; started < AT_ONCE && mayStart(); started++) {
      const request = waiting.shift();
      if (request) void start(request);
    }
    if (waiting.length <= MOST_WAITING / 2 && waitingChars <= MOST_WAITING_CHARS / 2) setReading(true);
    schedule();
  };
  const start = async (request: HostRequestLine): Promise<void> => {
    waitingChars -= request.size;
    open++;
    openChars += request.size;
    if (isLarge(request)) openLarge++;
    const message = await answer(request);
    open--;
    openChars -= request.size;
    if (isLarge(request)) openLarge--;
    try {
      send(message);
    } catch {
      // The answer is longer than a string can be.
      send({ type: "answer", id: request.id, error: { error: "HostError", message: "The answer is too large" } });
    }
    schedule();
  };

  return {
    add(request) {
      waiting.push(request);
      waitingChars += request.size;
      if (waiting.length > MOST_WAITING || waitingChars > MOST_WAITING_CHARS) setReading(false);
      schedule();
    },
    resume: schedule,
  };
}

function isLarge({ ask }: HostRequestLine): boolean {
  return ask.about === "checkpoint" && ask.do === "list";
}
