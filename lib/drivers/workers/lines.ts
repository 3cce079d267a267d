import type { Duplex } from "node:stream";

/** Longest line that is taken from a worker: beyond it something is wrong, and memory must not follow. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Reads a socket line by line, all complete lines of one chunk at once, so that the receiver can batch.
 * `onOverflow` is called instead when a line grows beyond 64 Mi characters.
 */
export function readLines(socket: Duplex, onLines: (lines: string[]) => void, onOverflow: () => void): void {
  let pieces: string[] = [];
  let length = 0;
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const end = chunk.lastIndexOf("\n");
    if (end < 0) {
      pieces.push(chunk);
      length += chunk.length;
      if (length > MAX_LINE) onOverflow();
      return;
    }
    const text = pieces.join("") + chunk.slice(0, end);
    pieces = end + 1 < chunk.length ? [chunk.slice(end + 1)] : [];
    length = chunk.length - end - 1;
    onLines(text.split("\n"));
  });
}

/** Writes messages as JSON lines, all of one turn of the event loop in one write. */
export function lineWriter<Message>(socket: Duplex): (message: Message) => void {
  let waiting = "";
  return (message) => {
    if (waiting === "") {
      // After all microtasks: the answers to what was committed together come one from the other.
      process.nextTick(() => {
        const text = waiting;
        waiting = "";
        if (!socket.destroyed) socket.write(text);
      });
    }
    waiting += `${JSON.stringify(message)}\n`;
  };
}
