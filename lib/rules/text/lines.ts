/** Yields the lines of a text without their ends, each with its offset. A generator, because there may be millions. */
export function* linesOf(text: string): Generator<{ line: string; start: number }> {
  for (let start = 0; ;) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end < 0 ? undefined : end);
    yield { line: line.endsWith("\r") && end >= 0 ? line.slice(0, -1) : line, start };
    if (end < 0) return;
    start = end + 1;
  }
}
