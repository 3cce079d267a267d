import fc from "fast-check";
import { expect, test } from "vitest";
import { decidePace, LEAST_RATE, SPAN_MS } from "../../../lib/rules/http/body-pace.ts";

const open = { total: 0, held: false, answered: false };

test("a line of 8 kB a second is never cut, whenever it is looked at", () => {
  fc.assert(
    fc.property(fc.nat(10 * SPAN_MS), (elapsed) => {
      expect(decidePace({ ...open, elapsed, come: elapsed * 8 })).not.toBe("cut");
    }),
  );
});

test("a body is cut within 90 s of its last good span, whatever came before", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(SPAN_MS * (LEAST_RATE / 1000) - 1), (total, come) => {
      expect(decidePace({ ...open, total, elapsed: SPAN_MS, come })).toBe("cut");
    }),
  );
});

test("nobody is blamed before a span is over, nor for what the server does not read", () => {
  fc.assert(
    fc.property(fc.nat(SPAN_MS - 1), fc.nat(), (elapsed, come) => {
      expect(decidePace({ ...open, elapsed, come })).toBe("wait");
      expect(decidePace({ ...open, elapsed: elapsed + SPAN_MS, come, held: true })).toBe("next");
    }),
  );
});

test("what comes after the answer is thrown away for a while, then cut", () => {
  const endless = { elapsed: 0, come: 0, held: false, answered: true };
  expect(decidePace({ ...endless, total: 10_000_000 })).toBe("wait");
  expect(decidePace({ ...endless, total: 100_000_000 })).toBe("cut");
});
