import type { Duplex } from "node:stream";
import { encodeMessage } from "../../protocol/raw-json.ts";

/** Lines that are handed over at once. */
const AT_ONCE = 256;
/** How long one worker's lines may take of one turn of the event loop, in ms: others are served between turns. */
const TURN_MS = 5;

export interface LineReader {
  /** Nothing more is read, nor handed over, until `resume`: the other side has to wait. */
  pause(): void;
  resume(): void;
  /** Hands over what has come, however much that is; nothing comes after it. */
  finish(): void;
  /** Drops what has come, and all that still comes. */
  stop(): void;
}

export interface LineEvents {
  /** Lines that came together, so that the receiver can batch. */
  lines(lines: readonly string[]): void;
  /** A line is longer than it may be. */
  overflow(): void;
}

/** Reads a socket line by line, `longest` characters a line at most. */
export function readLines(socket: Duplex, longest: number, events: LineEvents): LineReader {
  const split = lineSplitter();
  let waiting: string[] = [];
  let isPaused = false;
  let isStopped = false;
  /** ms of this turn of the event loop; undefined before its first line. */
  let spent: number | undefined;

  const stop = (): void => {
    isStopped = true;
    waiting = [];
    socket.resume();
  };
  const handOver = (): void => {
    if (spent === undefined) setImmediate(nextTurn);
    const before = spent ?? 0;
    const since = performance.now();
    for (spent = before; waiting.length > 0 && spent < TURN_MS && !isPaused; spent = before + performance.now() - since)
      events.lines(waiting.splice(0, AT_ONCE));
    if (waiting.length > 0) socket.pause();
  };
  const nextTurn = (): void => {
    spent = undefined;
    if (isPaused) return;
    if (waiting.length > 0) handOver();
    if (waiting.length === 0) socket.resume();
  };

  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    if (isStopped) return;
    const { lines, rest } = split(chunk);
    if (rest > longest) {
      stop();
      return events.overflow();
    }
    waiting = waiting.length === 0 ? lines : [...waiting, ...lines];
    handOver();
  });
  return {
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      // What waits comes first, in a turn that may have no time left for it.
      if (spent === undefined) nextTurn();
    },
    finish() {
      while (waiting.length > 0) events.lines(waiting.splice(0, AT_ONCE));
      stop();
    },
    stop,
  };
}

/** Takes chunks of text; gives the lines that are complete, and the characters of the one that is not. */
function lineSplitter(): (chunk: string) => { lines: string[]; rest: number } {
  let begun: string[] = [];
  let rest = 0;
  return (chunk) => {
    const end = chunk.lastIndexOf("\n");
    if (end < 0) {
      begun.push(chunk);
      rest += chunk.length;
      return { lines: [], rest };
    }
    const text = begun.join("") + chunk.slice(0, end);
    begun = end + 1 < chunk.length ? [chunk.slice(end + 1)] : [];
    rest = chunk.length - end - 1;
    return { lines: text.split("\n"), rest };
  };
}

export interface LineWriter<Message> {
  /** Throws a `RangeError` for what makes no text. */
  send(message: Message): void;
  /** Characters that the other side has not taken yet. */
  waiting(): number;
}

/** Writes messages as JSON lines, all of one turn of the event loop in one write. */
export function writeLines<Message>(socket: Duplex): LineWriter<Message> {
  let waiting = "";
  return {
    waiting: () => waiting.length + socket.writableLength,
    send(message) {
      const line = `${encodeMessage(message)}\n`;
      if (waiting === "") {
        // After all microtasks: the answers to what was committed together come one from the other.
        process.nextTick(() => {
          const text = waiting;
          waiting = "";
          if (!socket.destroyed) socket.write(text);
        });
      }
      waiting += line;
    },
  };
}
