import type { Duplex } from "node:stream";
import { encodeMessage } from "../../protocol/raw-json.ts";

/** The most lines that are delivered at once. */
const AT_ONCE = 256;
/** The time that one worker's lines may take of one turn of the event loop, in ms. Other work runs between turns. */
const TURN_MS = 5;

export interface LineReader {
  /** Stops reading and delivering until `resume`, so that the other side has to wait. */
  pause(): void;
  resume(): void;
  /** Delivers all lines that have arrived, without a time limit, and then stops. */
  finish(): void;
  /** Discards the lines that have arrived, and all that follow. */
  stop(): void;
}

export interface LineEvents {
  /** Receives lines that arrived together, so that the receiver can batch. */
  lines(lines: readonly string[]): void;
  /** Called when a line exceeds the maximum length. */
  overflow(): void;
}

/** Reads a socket line by line. A line has `longest` characters at most. */
export function readLines(socket: Duplex, longest: number, events: LineEvents): LineReader {
  const split = lineSplitter();
  let waiting: string[] = [];
  let isPaused = false;
  let isStopped = false;
  /** The time spent in this turn of the event loop, in ms; undefined before its first line. */
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
      // Waiting lines come first. If this turn has no time left, the next turn delivers them.
      if (spent === undefined) nextTurn();
    },
    finish() {
      while (waiting.length > 0) events.lines(waiting.splice(0, AT_ONCE));
      stop();
    },
    stop,
  };
}

/** Returns a function that takes chunks of text. It returns the complete lines and the length of the incomplete one. */
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
  /** Throws a `RangeError` if the text would be longer than a string can be. */
  send(message: Message): void;
  /** Returns the number of characters that the other side has not read yet. */
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
        // This runs after all microtasks, because the answers to writes of one commit become ready one after another.
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
