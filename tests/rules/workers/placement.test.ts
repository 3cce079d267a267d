import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leastBusyPosition, positionForThread } from "../../../lib/rules/workers/placement.ts";

const positions = fc.uniqueArray(fc.nat(15), { minLength: 1 });
const at = (list: readonly number[]) => list.map((position) => ({ position }));

/** Threads with the ids that a client with a counter would give them: hashes of them differ in few bits. */
const threads = Array.from({ length: 10_000 }, (_, n) => `thread-${n}`);

function shares(count: number, of: readonly string[] = threads): number[] {
  const ready = at(Array.from({ length: count }, (_, position) => position));
  const found = Array.from({ length: count }, () => 0);
  for (const thread of of) {
    const position = positionForThread(thread, ready) ?? -1;
    found[position] = (found[position] ?? 0) + 1;
  }
  return found;
}

describe("the process for a thread", () => {
  test("is one of those that are ready, and the same in whatever order they are listed", () => {
    fc.assert(
      fc.property(fc.string(), positions, (thread, list) => {
        const position = positionForThread(thread, at(list));
        expect(list).toContain(position);
        expect(positionForThread(thread, at(list.toReversed()))).toBe(position);
      }),
    );
  });

  test("changes only when that process is not ready any more, or another one becomes ready", () => {
    fc.assert(
      fc.property(fc.string(), positions, fc.nat(15), (thread, list, other) => {
        const before = positionForThread(thread, at(list));
        const without = list.filter((position) => position !== other);
        if (other !== before) expect(positionForThread(thread, at(without))).toBe(before);
        const after = positionForThread(thread, at([...without, other]));
        expect([positionForThread(thread, at(without)), other]).toContain(after);
      }),
    );
  });

  test("is none when none is ready", () => {
    expect(positionForThread("thread", [])).toBeUndefined();
  });

  test.each([2, 3, 4, 8, 16])("of %i has its share of all threads, give or take a tenth", (count) => {
    for (const share of shares(count))
      expect(Math.abs(share * count - threads.length)).toBeLessThan(threads.length / 10);
  });

  test("that is not ready leaves its threads to all others alike", () => {
    const all = at([0, 1, 2, 3]);
    const orphans = threads.filter((thread) => positionForThread(thread, all) === 1);
    const moved = orphans.map((thread) => positionForThread(thread, at([0, 2, 3])));
    for (const position of [0, 2, 3]) {
      const share = moved.filter((one) => one === position).length;
      expect(Math.abs(share * 3 - orphans.length)).toBeLessThan(orphans.length / 5);
    }
  });
});

describe("the least busy process", () => {
  const some = fc
    .uniqueArray(fc.record({ position: fc.nat(15), calls: fc.nat(3) }), { selector: ({ position }) => position })
    .map((list) => list);

  test("has the fewest calls; there is none only when none is ready", () => {
    fc.assert(
      fc.property(some, fc.integer({ min: -1, max: 15 }), (ready, last) => {
        const position = leastBusyPosition(ready, last);
        const chosen = ready.find((one) => one.position === position);
        if (ready.length === 0) expect(position).toBeUndefined();
        else expect(chosen?.calls).toBe(Math.min(...ready.map(({ calls }) => calls)));
      }),
    );
  });

  test("changes from call to call among equal ones, so that each gets as many", () => {
    fc.assert(
      fc.property(positions, fc.integer({ min: -1, max: 15 }), (list, begin) => {
        const idle = list.map((position) => ({ position, calls: 0 }));
        const chosen: (number | undefined)[] = [];
        let last = begin;
        for (let n = 0; n < list.length; n++) {
          last = leastBusyPosition(idle, last) ?? -1;
          chosen.push(last);
        }
        expect(chosen.toSorted()).toEqual(list.toSorted());
      }),
    );
  });
});
