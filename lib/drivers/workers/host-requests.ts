/** Questions of a worker to its host, answered in their order and no faster than others can be served beside them. */
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { HostMessage } from "../../protocol/worker.ts";

type HostRequest = Extract<WorkerLine, { type: "ask" }>;

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

export interface HostRequestQueue {
  add(request: HostRequest): void;
  /** Goes on: the worker has read its answers. */
  resume(): void;
}

export interface HostRequestQueueOptions {
  /** Never rejects. */
  answer(request: HostRequest): Promise<HostMessage>;
  send(message: HostMessage): void;
  /** The worker does not read its answers as fast as it asks. */
  isBehind(): boolean;
  /** Whether the worker is to be read. */
  setReading(isReading: boolean): void;
}

export function createHostRequestQueue({
  answer,
  send,
  isBehind,
  setReading,
}: HostRequestQueueOptions): HostRequestQueue {
  const waiting: HostRequest[] = [];
  let waitingChars = 0;
  let open = 0;
  let openChars = 0;
  let openLarge = 0;
  let isScheduled = false;
  /** When the questions of this turn of the event loop began, in ms. */
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
  const start = async (request: HostRequest): Promise<void> => {
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
      // What was asked for is longer than a text can be.
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

function isLarge({ ask }: HostRequest): boolean {
  return ask.about === "checkpoint" && ask.do === "list";
}
