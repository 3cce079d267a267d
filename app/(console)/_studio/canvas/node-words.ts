import type { Box } from "#lib/rules/graphs/layout.ts";
import type { NodeRun } from "#lib/rules/studio/canvas-run.ts";
import type { NodeView } from "./canvas-store.ts";

/** Returns a duration in the unit that fits it: `12 ms`, `1.4 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the second line of a node: duration, how many of its tasks run. */
export function runLine(run: NodeRun): string {
  const { count, runningCount = 0, durationMs } = run;
  return [
    durationMs === undefined ? "" : durationText(durationMs),
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
    run?.durationMs === undefined ? "" : durationText(run.durationMs),
    before ? "breakpoint before" : "",
    after ? "breakpoint after" : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
