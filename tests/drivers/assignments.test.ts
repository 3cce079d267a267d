import { expect, test, vi } from "vitest";
import { createAssignments } from "../../lib/drivers/workers/assignments.ts";
import { createBacklog } from "../../lib/drivers/workers/backlog.ts";
import type { RunEnding } from "../../lib/engine/ports/run-end.ts";

const noneTold = () => ({ store: () => undefined, failure: () => undefined, settled: () => Promise.resolve() });
const lost: RunEnding = {
  status: "error",
  error: { error: "WorkerCrashed", message: "" },
  events: [],
  lost: "crashed",
};

test("a cancelled run whose process ends is interrupted, and is not resumed", async () => {
  const assignments = createAssignments(
    createBacklog(() => undefined),
    noneTold,
  );
  const ends = ["cancelled", "other"].map((run) => assignments.add(run, 1, () => Promise.resolve()));
  expect(assignments.cancel("cancelled")).toBe(true);
  expect(assignments.cancel("nobody")).toBe(false);
  assignments.endAll(lost);
  expect(await Promise.all(ends)).toMatchObject([{ status: "interrupted", events: [] }, lost]);
});

test("a cancel of an earlier attempt of a run does not end the one that executes now", async () => {
  vi.useFakeTimers();
  const assignments = createAssignments(
    createBacklog(() => undefined),
    noneTold,
  );
  const first = assignments.add("again", 1, () => Promise.resolve());
  expect(assignments.cancel("again", 1)).toBe(true);
  assignments.end("again", lost);
  expect(await first).toMatchObject(lost);
  const again = assignments.add("again", 2, () => Promise.resolve());
  expect(assignments.cancel("again", 1)).toBe(false);
  // The time that the first had to end by itself.
  vi.advanceTimersByTime(60_000);
  expect(assignments.has("again", 2)).toBe(true);
  assignments.endAll(lost);
  expect(await again).toMatchObject(lost);
  vi.useRealTimers();
});
