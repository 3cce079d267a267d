/** Rejects a line that is too long for the channel with a reason, because the host ends a worker that sends one. */
import type { RunError } from "../protocol/stream.ts";
import { LONGEST_LINE } from "../protocol/worker-lines.ts";

const MB = 1024 * 1024;

/** Returns why a line cannot be sent, or undefined if it can. */
export function tooLong({ length }: string): RunError | undefined {
  if (length <= LONGEST_LINE) return undefined;
  const message = `${Math.ceil(length / MB)} MB of text are too long: a graph may send or store ${LONGEST_LINE / MB} MB at once`;
  return { error: "TooLargeError", message };
}

/** Returns the line of an answer, or a line with an error if that one is too long. */
export function answerLine(line: string, answer: { type: string; id: number }): string {
  const error = tooLong(line);
  return error ? `${JSON.stringify({ type: answer.type, id: answer.id, error })}\n` : line;
}
