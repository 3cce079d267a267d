import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pastRunsOf } from "../../../lib/rules/studio/history.ts";
import { checkpointIdOf } from "../../../lib/rules/threads/read-state.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";
import { turnsOf } from "../../../lib/rules/studio/turns.ts";
import { newestTurn, plainRun } from "./plain-run.ts";

const idOf = (index: number): string => `c${String(index).padStart(4, "0")}`;

/** Histories, newest first, with turns of more states than lie between two runs that are kept. */
const history = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.nat()), { minLength: 1, maxLength: 300 })
  .map((list) =>
    list
      .map(([kind, parent], index): StateHead => {
        const isFork = kind === 1 && index > 0;
        const before = isFork ? parent % index : index - 1;
        return {
          next: [`node ${index % 3}`],
          tasks: [{ id: `t${index}`, name: `node ${index % 3}`, result: { n: index } }],
          metadata: { step: index - 1, source: kind === 0 || index === 0 ? "input" : isFork ? "fork" : "loop" },
          created_at: new Date(1e12 + index).toISOString(),
          checkpoint: { checkpoint_id: idOf(index) },
          parent_checkpoint: before < 0 ? null : { checkpoint_id: idOf(before) },
        };
      })
      .toReversed(),
  );

describe("the runs of past states", () => {
  test("are what the turn up to each state tells, in whatever order they are looked at", () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (heads, looks) => {
        const { runAt } = pastRunsOf(heads);
        for (const look of looks) {
          const id = idOf(look % heads.length);
          const run = runAt(id);
          expect(run && plainRun(run)).toEqual(plainRun(newestTurn(asThen(heads, id))));
        }
      }),
    );
  });

  test("are the same when they were folded towards before, some states at a time", () => {
    fc.assert(
      fc.property(history, fc.nat(), (heads, look) => {
        const id = idOf(look % heads.length);
        const { runAt, foldTowards } = pastRunsOf(heads);
        let asked = 0;
        const once = (): boolean => asked++ % 2 === 0;
        while (!foldTowards(id, once)) expect(asked).toBeLessThan(2 * heads.length);
        expect(foldTowards(id, () => false)).toBe(true);
        expect(runAt(id)).toEqual(pastRunsOf(heads).runAt(id));
      }),
    );
  });

  test("tell where the graph no longer has the nodes of a step, and do not end there", () => {
    const state = (index: number, next: string[], source = "loop"): StateHead => ({
      next,
      tasks: next.map((name) => ({ id: `t${index}`, name })),
      metadata: { step: index - 1, source },
      created_at: null,
      checkpoint: { checkpoint_id: idOf(index) },
      parent_checkpoint: index === 0 ? null : { checkpoint_id: idOf(index - 1) },
    });
    const heads = [state(3, []), state(2, ["join"]), state(1, []), state(0, ["__start__"], "input")];
    const { runAt } = pastRunsOf(heads);
    const steps = [...(runAt(idOf(3))?.steps ?? [])].map(({ step, isGone, tasks }) => [step, isGone, tasks.length]);
    expect(steps).toEqual([
      [-1, undefined, 0],
      [0, undefined, 0],
      [1, true, 0],
      [2, undefined, 1],
    ]);
    expect(runAt(idOf(3))?.status).toBe("success");
    expect(runAt(idOf(1))?.status).toBe("unknown");
  });

  test("of states that are not in the history are not known", () => {
    expect(pastRunsOf([]).runAt("c1")).toBeUndefined();
  });
});

/**
 * Returns what led to a checkpoint, newest first, as it was at its moment: a state has no results of tasks that came after
 * it, or that went another way.
 */
function asThen(heads: readonly StateHead[], id: string): StateHead[] {
  const turns = turnsOf(heads);
  const lineage: StateHead[] = [];
  let child: StateHead | undefined;
  for (let at: string | undefined = id; at !== undefined;) {
    const head = heads.find(({ checkpoint }) => checkpointIdOf(checkpoint) === at);
    if (!head) throw new Error(`there is no checkpoint ${at}`);
    const turn = turns.find((one) => one.includes(head));
    const goesOn = child ? turn?.includes(child) === true : head === heads[0];
    lineage.push(goesOn ? head : withoutResults(head));
    child = head;
    const isInput = (head.metadata as { source?: unknown }).source === "input";
    at = isInput ? undefined : checkpointIdOf(head.parent_checkpoint);
  }
  return lineage;
}

function withoutResults(head: StateHead): StateHead {
  const { result: _result, ...task } = head.tasks[0] as { result?: unknown };
  return { ...head, tasks: [task] };
}
