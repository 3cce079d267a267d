import type { Incident } from "../../protocol/deployments.ts";
import { BadLine } from "../../protocol/line-checks.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";

type Ready = Extract<WorkerLine, { type: "ready" }>;

/** Throws `BadLine` for graphs that the configuration does not name. */
export function requireConfigured({ graphs }: Ready, configured: Readonly<Record<string, unknown>>): void {
  if (graphs.length <= Object.keys(configured).length && graphs.every(({ graph }) => Object.hasOwn(configured, graph)))
    return;
  throw new BadLine("ready: graphs: expected those of the configuration");
}

/** Returns an incident for each part of an application that did not load. */
export function loadProblems({ graphs, auth, app }: Ready): Omit<Incident, "at">[] {
  const parts = [auth, app].flatMap((part) => (part && "error" in part && part.error ? [part.error] : []));
  return [
    ...parts.map((error) => ({ source: "load" as const, error })),
    ...graphs.flatMap(({ graph, error }) => (error ? [{ source: "load" as const, error, graph }] : [])),
  ];
}
