import { duration } from "#lib/client/measures.ts";
import type { Box } from "#lib/rules/graphs/layout.ts";
import type { NodeRun } from "#lib/rules/studio/canvas-run.ts";
import type { NodeView } from "./canvas-store.ts";

/** Returns the second line of a node: duration, how many of its tasks run. */
export function runLine(run: NodeRun): string {
  const { count, runningCount = 0, durationMs } = run;
  return [
    durationMs === undefined ? "" : duration(durationMs),
    count > 1 && runningCount > 0 ? `${runningCount} running` : "",
    durationMs === undefined && (count <= 1 || runningCount === 0) ? run.status : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** Returns all that is known of a node, for screen readers and tooltips. */
export function nodeLabel({ label, kind }: Pick<Box, "label" | "kind">, view: NodeView): string {
  const { run, before, after } = view;
  return [
    label,
    kind === "subgraph" ? "closed subgraph" : kind === "container" ? "open subgraph" : "",
    run ? run.status : "",
    run && run.count > 1 ? `${run.count} times` : "",
    run?.count !== 1 && run?.runningCount ? `${run.runningCount} running` : "",
    run?.durationMs === undefined ? "" : duration(run.durationMs),
    before ? "breakpoint before" : "",
    after ? "breakpoint after" : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
