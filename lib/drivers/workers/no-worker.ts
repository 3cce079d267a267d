import type { WorkerState } from "../../protocol/deployments.ts";
import { Fault } from "../../protocol/faults.ts";
import type { WorkerProcess } from "./replaceable-worker.ts";

/** Stands in for the worker of a deployment whose code is not served, and refuses every request with `reason`. */
export function noWorker(reason: string, state: WorkerState = { status: "failed", reason }): WorkerProcess {
  const refuse = (): Promise<never> => Promise.reject(new Fault("unavailable", reason));
  return {
    state: () => state,
    graphs: () => [],
    incidents: () => [],
    run: () => Promise.resolve({ status: "error", error: { error: "WorkerUnavailable", message: reason }, events: [] }),
    cancel: () => false,
    drawing: refuse,
    schemas: refuse,
    threadState: refuse,
    subgraphs: refuse,
    embed: refuse,
    guards() {
      throw new Fault("unavailable", reason);
    },
    guard: refuse,
    serve: refuse,
    onChange: () => () => undefined,
    restart: () => undefined,
    setHome: () => undefined,
    stop: () => Promise.resolve(),
  };
}
