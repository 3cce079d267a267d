import type { Readable } from "node:stream";

const READ_BYTES = 256 * 1024;
const READ_MS = 100;

/**
 * Reads the output of a program as text, at most 2.5 MB a second. A program that prints more has to wait, and costs the
 * server little.
 */
export function readPaced(from: Readable, onText: (piece: string) => void): void {
  let read = 0;
  from.setEncoding("utf8").on("data", (piece: string) => {
    onText(piece);
    read += piece.length;
    if (read < READ_BYTES) return;
    read = 0;
    from.pause();
    setTimeout(() => from.resume(), READ_MS);
  });
}
