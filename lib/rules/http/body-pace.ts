/** The slowest pace at which the body of a request may arrive. */

/** Progress of a body that is still arriving. Times in ms. */
export interface BodyProgress {
  /** Time since the current span began. */
  elapsed: number;
  /** Bytes received in the current span, and since the request began. */
  come: number;
  total: number;
  /** Set while the server itself does not read on. The caller's pace cannot be measured then. */
  held: boolean;
  /** Set once the request has been answered. The rest of the body is discarded. */
  answered: boolean;
}

/** The length of a span. Each span is measured on its own, so that a body which begins fast may not end slowly. */
export const SPAN_MS = 30_000;
/** The lowest rate in bytes a second. It is half the rate of the slowest line that is to be served. */
export const LEAST_RATE = 4_000;
/** Bytes that are read of a body after the answer, so that the caller can receive the answer. */
const MOST_AFTER_ANSWER = 64 * 1024 * 1024;

/** Decides how to go on with a body. `cut`: the connection is closed. `next`: a new span begins. */
export function decidePace(
  { elapsed, come, total, held, answered }: BodyProgress,
  spanMs = SPAN_MS,
): "cut" | "next" | "wait" {
  if (answered && total > MOST_AFTER_ANSWER) return "cut";
  if (elapsed < spanMs) return "wait";
  if (held) return "next";
  return come * 1000 < LEAST_RATE * elapsed ? "cut" : "next";
}
