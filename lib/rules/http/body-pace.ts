/** How slowly the body of a request may come. */

/** What is known of a body that has not come as a whole. Times in ms. */
export interface Arrival {
  /** Since it is measured: from its start, or from the end of the last span. */
  elapsed: number;
  /** Bytes that came since then, and since the request began. */
  come: number;
  total: number;
  /** The server itself does not read on at the moment: nobody can tell how fast the caller would be. */
  held: boolean;
  /** The request has been answered: what still comes is only thrown away. */
  answered: boolean;
}

/** A body is looked at span by span, so that one which begins fast may not end slowly. */
export const SPAN_MS = 30_000;
/** Bytes a second. Half of what the slowest honest line is taken for. */
export const LEAST_RATE = 4_000;
/** What is read of a body after the answer, so that the caller gets to see that one. */
const MOST_AFTER_ANSWER = 64 * 1024 * 1024;

/** `cut`: the connection ends. `next`: a new span begins. */
export function decidePace(
  { elapsed, come, total, held, answered }: Arrival,
  spanMs = SPAN_MS,
): "cut" | "next" | "wait" {
  if (answered && total > MOST_AFTER_ANSWER) return "cut";
  if (elapsed < spanMs) return "wait";
  if (held) return "next";
  return come * 1000 < LEAST_RATE * elapsed ? "cut" : "next";
}
