import fc from "fast-check";
import { expect, test } from "vitest";
import { createSubscribers } from "../../app/(console)/_studio/canvas/subscribers.ts";

const COUNT = 120;

const step = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), values: fc.array(fc.nat(2), { minLength: COUNT, maxLength: COUNT }) }),
  fc.constant({ kind: "frame" as const }),
  fc.record({ kind: fc.constant("leave" as const), at: fc.nat(COUNT - 1) }),
);

test("in the end each knows its newest value, no frame tells many, and those that left are told nothing", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const frames: (() => void)[] = [];
      const subscribers = createSubscribers<number>({
        isLit: (value) => value === 2,
        nextFrame: (f) => frames.push(f),
      });
      let values = Array.from({ length: COUNT }, () => 0);
      const known = [...values];
      const left = new Set<number>();
      let toldNow = 0;
      const leaves = values.map((_, at) =>
        subscribers.add(
          () => values[at] ?? 0,
          () => {
            expect(left).not.toContain(at);
            known[at] = values[at] ?? 0;
            toldNow++;
          },
        ),
      );
      const act = (action: () => void): void => {
        toldNow = 0;
        action();
        expect(toldNow).toBeLessThanOrEqual(48);
        expect(frames.length).toBeLessThanOrEqual(1);
      };
      for (const one of steps) {
        if (one.kind === "frame") act(() => frames.shift()?.());
        else if (one.kind === "set") {
          values = one.values;
          act(() => subscribers.tell());
        } else {
          left.add(one.at);
          leaves[one.at]?.();
        }
      }
      while (frames.length > 0) act(() => frames.shift()?.());
      for (const [at, value] of values.entries()) if (!left.has(at)) expect(known[at]).toBe(value);
    }),
  );
});
