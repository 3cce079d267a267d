import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPastRuns } from "../../../lib/rules/studio/history.ts";
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
        const runAt = createPastRuns(heads);
        for (const look of looks) {
          const id = idOf(look % heads.length);
          const run = runAt(id);
          expect(run && plainRun(run)).toEqual(plainRun(newestTurn(asThen(heads, id))));
        }
      }),
    );
  });

  test("of states that are not in the history are not known", () => {
    expect(createPastRuns([])("c1")).toBeUndefined();
  });
});

/** Returns the turn of a checkpoint as the history was at its moment: its tasks have no results yet, if others follow. */
function asThen(heads: readonly StateHead[], id: string): StateHead[] {
  const isIt = ({ checkpoint }: StateHead): boolean => checkpointIdOf(checkpoint) === id;
  const turn = turnsOf(heads).find((one) => one.some(isIt)) ?? [];
  const [head, ...before] = turn.slice(turn.findIndex(isIt));
  if (!head) throw new Error(`there is no checkpoint ${id}`);
  const { result: _result, ...task } = head.tasks[0] as { result?: unknown };
  return [head === heads[0] ? head : { ...head, tasks: [task] }, ...before];
}
