import fc from "fast-check";
import { expect, test } from "vitest";
import { decidePace, LEAST_RATE, SPAN_MS } from "../../../lib/rules/http/body-pace.ts";

const open = { total: 0, held: false, answered: false };

test("a connection with 8 kB/s is never cut, at whatever time it is checked", () => {
  fc.assert(
    fc.property(fc.nat(10 * SPAN_MS), (elapsed) => {
      expect(decidePace({ ...open, elapsed, come: elapsed * 8 })).not.toBe("cut");
    }),
  );
});

test("a body is cut at the end of a span that was too slow, whatever came before", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(SPAN_MS * (LEAST_RATE / 1000) - 1), (total, come) => {
      expect(decidePace({ ...open, total, elapsed: SPAN_MS, come })).toBe("cut");
    }),
  );
});

test("nothing is cut before a span is over, nor while the server itself does not read", () => {
  fc.assert(
    fc.property(fc.nat(SPAN_MS - 1), fc.nat(), (elapsed, come) => {
      expect(decidePace({ ...open, elapsed, come })).toBe("wait");
      expect(decidePace({ ...open, elapsed: elapsed + SPAN_MS, come, held: true })).toBe("next");
    }),
  );
});

test("bytes after the answer are discarded up to a bound, then the connection is cut", () => {
  const endless = { elapsed: 0, come: 0, held: false, answered: true };
  expect(decidePace({ ...endless, total: 10_000_000 })).toBe("wait");
  expect(decidePace({ ...endless, total: 100_000_000 })).toBe("cut");
});
