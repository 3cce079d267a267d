import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headOf, type StateHead, withNewer, withOlder } from "../../../lib/rules/studio/state-heads.ts";
import { isContinuation, turnsOf } from "../../../lib/rules/studio/turns.ts";
import { checkpointIdOf } from "../../../lib/rules/threads/read-state.ts";

const head = (id: string, parent: string | undefined, source: string): StateHead => ({
  next: [],
  tasks: [],
  metadata: { source },
  created_at: null,
  checkpoint: { checkpoint_id: id },
  parent_checkpoint: parent === undefined ? null : { checkpoint_id: parent },
});

/** Histories, newest first: each state follows any older one. Ids are in order of time, as those of checkpoints are. */
const history = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom("input", "loop", "loop", "update", "fork")), { maxLength: 30 })
  .map((list) =>
    list
      .map(([parent, source], index) => {
        // Most states follow the newest one.
        const before = parent % 4 === 0 ? parent % Math.max(1, index) : index - 1;
        return head(idOf(index), before < 0 ? undefined : idOf(before), source);
      })
      .toReversed(),
  );
const idOf = (index: number): string => `c${String(index).padStart(4, "0")}`;
const ids = (heads: readonly StateHead[]) => heads.map((one) => checkpointIdOf(one.checkpoint));

describe("turns of a history", () => {
  test("joined they are the history", () => {
    fc.assert(
      fc.property(history, (all) => {
        expect(turnsOf(all).flat()).toEqual(all);
      }),
    );
  });

  test("within a turn each state follows the one before it, and only the first is input", () => {
    fc.assert(
      fc.property(history, (all) => {
        for (const turn of turnsOf(all)) {
          for (const [index, state] of turn.slice(0, -1).entries()) {
            expect(checkpointIdOf(state.parent_checkpoint)).toBe(checkpointIdOf(turn[index + 1]?.checkpoint));
            expect(state.metadata).not.toEqual({ source: "input" });
          }
        }
      }),
    );
  });

  test("a turn ends only where input or a fork of an older state begins the next", () => {
    fc.assert(
      fc.property(history, (all) => {
        for (const [index, turn] of turnsOf(all).entries()) {
          const later = turnsOf(all)[index - 1]?.at(-1);
          if (!later) continue;
          const isFork = checkpointIdOf(later.parent_checkpoint) !== checkpointIdOf(turn[0].checkpoint);
          expect(isFork || JSON.stringify(later.metadata) === '{"source":"input"}').toBe(true);
        }
      }),
    );
  });

  test("a run without input and without a checkpoint continues the one before it", () => {
    expect(isContinuation({ input: null, command: null, config: {} })).toBe(true);
    expect(isContinuation({ input: null, command: { resume: 1 }, config: { configurable: {} } })).toBe(true);
    expect(isContinuation({ input: {}, config: {} })).toBe(false);
    expect(isContinuation({ input: null, config: { configurable: { checkpoint_id: "c1" } } })).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), (garbage) => {
        expect(typeof isContinuation(garbage)).toBe("boolean");
      }),
    );
  });
});

describe("heads of states", () => {
  test("pages added in any split are the whole history, newest first", () => {
    fc.assert(
      fc.property(history, fc.nat(30), (all, cut) => {
        const [newer, older] = [all.slice(0, cut), all.slice(cut)];
        expect(ids(withOlder(newer, older))).toEqual(ids(all));
        expect(ids(withNewer(older, newer))).toEqual(ids(all));
        expect(ids(withNewer(all, newer))).toEqual(ids(all));
        expect(ids(withOlder(all, older))).toEqual(ids(all));
      }),
    );
  });

  test("a state that is told again replaces what was known of it", () => {
    const before = head("c1", undefined, "loop");
    const after = { ...before, next: ["tools"] };
    expect(withNewer([before], [after])).toEqual([after]);
  });

  test("a debug event of the outermost graph tells a head, and no other event does", () => {
    const payload = { ...head("c1", undefined, "loop"), values: {}, next: ["tools", 3] };
    const data = { type: "checkpoint", timestamp: "2026-01-01T00:00:00.000Z", step: 1, payload };
    expect(headOf({ id: 1, event: "debug", data })).toMatchObject({
      created_at: "2026-01-01T00:00:00.000Z",
      next: ["tools"],
    });
    expect(headOf({ id: 1, event: "debug|child:1", data })).toBeUndefined();
    expect(headOf({ id: 1, event: "debug", data: { ...data, type: "task" } })).toBeUndefined();
    expect(headOf({ id: 1, event: "checkpoints", data: payload })?.created_at).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (garbage) => {
        expect(() => headOf({ id: 0, event: "debug", data: garbage })).not.toThrow();
      }),
    );
  });
});
