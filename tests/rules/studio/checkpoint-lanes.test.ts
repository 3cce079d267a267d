import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addCheckpoints,
  addStates,
  type CheckpointLanes,
  type HistoryCheckpoint,
  isNextGone,
  NO_LANES,
  readCheckpoint,
} from "../../../lib/rules/studio/checkpoint-lanes.ts";

const checkpoint = (id: string, parent?: string, savedAt?: number): HistoryCheckpoint => ({
  id,
  next: [],
  hasInterrupts: false,
  ...(parent === undefined ? {} : { parent }),
  ...(savedAt === undefined ? {} : { savedAt }),
});

/** Trees whose clocks may have stood still or gone back. The first checkpoints may be of pages that are missing. */
const history = fc
  .array(fc.tuple(fc.nat(), fc.option(fc.nat(8)), fc.integer({ min: 0, max: 9 })), { maxLength: 25 })
  .map((list) =>
    list.map(([parent, time, isRoot], index) =>
      checkpoint(
        `c${index}`,
        isRoot === 0 ? undefined : index === 0 ? "older" : `c${parent % index}`,
        time === null ? undefined : 1000 + index + time,
      ),
    ),
  );
/** Parents of any kind: unknown ones, circles, itself. */
const garbage = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom("a", "b", "c", "d", "e", "__proto__"),
      fc.option(fc.constantFrom("a", "b", "c", "d", "e", "z")),
    )
    .map(([id, parent]) => checkpoint(id, parent ?? undefined)),
  { selector: ({ id }) => id },
);
const anyHistory = fc.oneof({ weight: 3, arbitrary: history }, garbage);

const shuffled = (list: readonly HistoryCheckpoint[]) =>
  fc.array(fc.nat(), { minLength: list.length, maxLength: list.length }).map((keys) =>
    list
      .map((one, index) => ({ one, key: keys[index] ?? 0 }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ one }) => one),
  );
const lanesOf = (list: readonly HistoryCheckpoint[]): CheckpointLanes => addCheckpoints(NO_LANES, list);
/** The lanes as arrays. Children stand in the order in which their parents were met, which tells nothing. */
const plain = ({ marks, lanes, children }: CheckpointLanes) => ({
  marks: [...marks],
  lanes: lanes.map((lane) => ({ ...lane, marks: [...lane.marks] })),
  children: [...children].toSorted(),
});

describe("lanes of checkpoints", () => {
  test("every checkpoint stands in one lane, once, with its place in time", () => {
    fc.assert(
      fc.property(anyHistory, (all) => {
        const { marks, lanes } = lanesOf(all);
        const ids = all.map(({ id }) => id).toSorted();
        expect([...marks].map(({ id }) => id).toSorted()).toEqual(ids);
        expect([...marks].map(({ index }) => index)).toEqual([...marks].map((_mark, index) => index));
        expect(
          lanes
            .flatMap((lane) => [...lane.marks])
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(ids);
        for (const { lane, marks: own } of lanes) for (const mark of own) expect(mark.lane).toBe(lane);
        for (const mark of marks) expect(marks.get(mark.id)).toBe(mark);
      }),
    );
  });

  test("a parent stands before its children", () => {
    fc.assert(
      fc.property(history, (all) => {
        const { marks } = lanesOf(all);
        for (const { parent = "", index } of marks) expect(marks.get(parent)?.index ?? -1).toBeLessThan(index);
      }),
    );
  });

  test("each lane is a chain, from a fork in a lane before it, unless parents form a circle", () => {
    fc.assert(
      fc.property(anyHistory, (all) => {
        const { marks: known, lanes } = lanesOf(all);
        for (const { marks, from, lane } of lanes) {
          for (const [index, mark] of [...marks].entries()) {
            if (index > 0) expect(mark.parent).toBe(marks.at(index - 1)?.id);
          }
          const first = marks.at(0);
          const parent = known.get(first?.parent ?? "");
          // A known parent that does not stand before its child closes a circle.
          const isCircle = parent !== undefined && first !== undefined && parent.index >= first.index;
          expect(from).toBe(isCircle ? undefined : first?.parent);
          const fork = known.get(from ?? "");
          if (fork) expect(fork.lane).toBeLessThan(lane);
        }
      }),
    );
  });

  test("the newest checkpoint ends lane 0, and lanes follow by their newest checkpoints", () => {
    fc.assert(
      fc.property(history, (all) => {
        const { marks, lanes } = lanesOf(all);
        expect(lanes[0]?.marks.last).toBe(marks.last);
        const ends = lanes.map((lane) => lane.marks.last?.index ?? -1);
        expect(ends).toEqual(ends.toSorted((a, b) => b - a));
      }),
    );
  });

  test("a lane ends only where nothing follows, or in other lanes only", () => {
    fc.assert(
      fc.property(history, (all) => {
        const { lanes, children } = lanesOf(all);
        for (const { marks } of lanes) expect(children.get(marks.last?.id ?? "") ?? []).toEqual([]);
      }),
    );
  });

  test("do not depend on the order in which the checkpoints came", () => {
    fc.assert(
      fc.property(
        anyHistory.chain((all) => fc.tuple(fc.constant(all), shuffled(all))),
        ([all, other]) => {
          expect(plain(lanesOf(other))).toEqual(plain(lanesOf(all)));
        },
      ),
    );
  });

  test("pages added one after the other give what all at once give", () => {
    fc.assert(
      fc.property(
        anyHistory.chain((all) => fc.tuple(fc.constant(all), fc.oneof(fc.constant(all), shuffled(all)))),
        fc.integer({ min: 1, max: 5 }),
        ([all, other], size) => {
          let lanes = NO_LANES;
          for (let at = 0; at < other.length; at += size) lanes = addCheckpoints(lanes, other.slice(at, at + size));
          // A page may come twice.
          lanes = addCheckpoints(lanes, other.slice(0, size));
          expect(plain(lanes)).toEqual(plain(lanesOf(all)));
        },
      ),
    );
  });

  test("a checkpoint that follows the newest leaves all others as they are", () => {
    fc.assert(
      fc.property(history, fc.option(fc.integer({ min: 0, max: 2000 })), (all, savedAt) => {
        const before = lanesOf(all);
        const after = addCheckpoints(before, [checkpoint("next", before.marks.last?.id, savedAt ?? undefined)]);
        for (const mark of before.marks) expect(after.marks.get(mark.id)).toBe(mark);
        expect(after.marks.last).toMatchObject({ id: "next", lane: 0, index: before.marks.size });
        expect(after.lanes.slice(1)).toEqual(before.lanes.slice(1));
      }),
    );
  });

  test("the children of a checkpoint are those that name it, in order of time", () => {
    fc.assert(
      fc.property(history, (all) => {
        const { children, marks } = lanesOf(all);
        for (const { id } of all) {
          const own = children.get(id) ?? [];
          expect(own.toSorted()).toEqual(
            all
              .filter((one) => one.parent === id)
              .map((one) => one.id)
              .toSorted(),
          );
          const indexes = own.map((child) => marks.get(child)?.index ?? -1);
          expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test("a thread that was forked twice, as the timeline shows it", () => {
    const lanes = lanesOf([
      checkpoint("input", undefined, 0),
      checkpoint("ask", "input", 1),
      checkpoint("no", "ask", 2),
      checkpoint("again", "ask", 3),
      checkpoint("maybe", "ask", 4),
      checkpoint("yes", "again", 5),
    ]);
    expect(lanes.lanes.map(({ marks, from }) => [from, ...[...marks].map(({ id }) => id)])).toEqual([
      [undefined, "input", "ask", "again", "yes"],
      ["ask", "maybe"],
      ["ask", "no"],
    ]);
    expect(lanes.children.get("ask")).toEqual(["no", "again", "maybe"]);
  });
});

describe("checkpoints of a history", () => {
  test("are read from states as the API returns them", () => {
    const state = {
      values: {},
      next: ["review"],
      tasks: [{ id: "t", name: "review", interrupts: [{ id: "i", value: 1 }] }],
      metadata: { source: "loop", step: 1, run_id: "r" },
      created_at: "2026-11-23T22:24:23.927Z",
      checkpoint: { thread_id: "x", checkpoint_ns: "", checkpoint_id: "c2" },
      parent_checkpoint: { thread_id: "x", checkpoint_ns: "", checkpoint_id: "c1" },
    };
    expect(readCheckpoint(state)).toEqual({
      id: "c2",
      parent: "c1",
      step: 1,
      source: "loop",
      run: "r",
      savedAt: Date.UTC(2026, 10, 23, 22, 24, 23, 927),
      next: ["review"],
      hasInterrupts: true,
    });
    expect(readCheckpoint({ ...state, checkpoint: null })).toBeUndefined();
    expect(addStates(NO_LANES, [state, null, "x"]).marks.size).toBe(1);
  });

  test("of any JSON are read without an error", () => {
    const position = fc.oneof(fc.jsonValue(), fc.record({ checkpoint_id: fc.oneof(fc.string(), fc.jsonValue()) }));
    const state = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          checkpoint: position,
          parent_checkpoint: position,
          metadata: fc.jsonValue(),
          next: fc.jsonValue(),
          tasks: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(state), (states) => {
        const { marks } = addStates(NO_LANES, states);
        expect(marks.size).toBeLessThanOrEqual(states.length);
      }),
    );
  });
});

test("what came after a checkpoint is gone if the thread went on from it, although nothing comes next", () => {
  const lanes = addCheckpoints(NO_LANES, [
    { ...checkpoint("before"), next: ["kept"] },
    { ...checkpoint("stopped", "before"), source: "loop" },
    { ...checkpoint("after", "stopped"), source: "loop" },
    { ...checkpoint("edited", "after"), source: "update" },
  ]);
  expect([...lanes.marks].filter((mark) => isNextGone(lanes, mark)).map((mark) => mark.id)).toEqual(["stopped"]);
});
