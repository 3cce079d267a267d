import type { Worker } from "../../engine/ports.ts";
import { Fault } from "../../protocol/faults.ts";

/** Stands where a worker would, for an application whose configuration cannot be read. */
export function noWorker(reason: string): Worker & { restart(): void } {
  const refuse = (): Promise<never> => Promise.reject(new Fault("unavailable", reason));
  return {
    state: () => ({ status: "failed", reason }),
    graphs: () => [],
    incidents: () => [],
    run: () => Promise.resolve({ status: "error", error: { error: "WorkerUnavailable", message: reason }, events: [] }),
    cancel: () => false,
    drawing: refuse,
    schemas: refuse,
    onChange: () => () => undefined,
    restart: () => undefined,
    stop: () => Promise.resolve(),
  };
}
