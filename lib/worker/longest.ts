/** What is too long for one line of the channel fails by itself, with a reason: the host ends a worker that sends it. */
import type { RunError } from "../protocol/stream.ts";
import { LONGEST_LINE } from "../protocol/worker-lines.ts";

const MB = 1024 * 1024;

/** Why a line cannot be sent; undefined for one that can. */
export function tooLong({ length }: string): RunError | undefined {
  if (length <= LONGEST_LINE) return undefined;
  const message = `${Math.ceil(length / MB)} MB of text at once are more than the ${LONGEST_LINE / MB} MB that a graph may tell or keep`;
  return { error: "TooLargeError", message };
}

/** The line of an answer, or one that says why it cannot be sent. */
export function answerLine(line: string, answer: { type: string; id: number }): string {
  const error = tooLong(line);
  return error ? `${JSON.stringify({ type: answer.type, id: answer.id, error })}\n` : line;
}
