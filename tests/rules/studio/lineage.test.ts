import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineageRuns } from "../../../lib/rules/studio/lineage.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";

const head = (id: string, parent: string | undefined, run?: string, source = "loop"): StateHead => ({
  next: [],
  tasks: [],
  metadata: { source, ...(run !== undefined && { run_id: run }) },
  created_at: null,
  checkpoint: { checkpoint_id: id },
  parent_checkpoint: parent === undefined ? null : { checkpoint_id: parent },
});

describe("the runs that led to the newest state", () => {
  test("are those of its turn, each up to where the next went on", () => {
    const history = [
      head("c7", "c6", "r3"),
      head("c6", "c3", undefined, "update"),
      head("c5", "c4", "r2"),
      head("c4", "c3", "r2"),
      head("c3", "c2", "r2"),
      head("c2", "c1", "r2", "input"),
      head("c1", undefined, "r1", "input"),
    ];
    expect(lineageRuns(history)).toEqual([
      { id: "r2", last: "c3" },
      { id: "r3", last: "c7", from: "c6" },
    ]);
  });

  test("begin at an unknown state if the history does", () => {
    expect(lineageRuns([head("c9", "c8", "r")])).toEqual([{ id: "r", last: "c9", from: "c8" }]);
    expect(lineageRuns([])).toEqual([]);
  });

  test("are found in any history, also if parents form a circle", () => {
    const ids = fc.constantFrom("a", "b", "c", "d");
    const any = fc.array(
      fc
        .tuple(ids, fc.option(ids, { nil: undefined }), fc.option(ids, { nil: undefined }), fc.boolean())
        .map(([id, parent, run, isInput]) => head(id, parent, run, isInput ? "input" : "loop")),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(any, (history) => {
        const runs = lineageRuns(history);
        for (const [index, { id }] of runs.entries()) expect(runs[index + 1]?.id).not.toBe(id);
        expect(runs.length).toBeLessThanOrEqual(history.length);
      }),
    );
  });
});
