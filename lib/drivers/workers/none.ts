import type { Worker } from "../../engine/ports.ts";
import { Fault } from "../../protocol/faults.ts";

/** Stands where a worker would, for an application whose configuration cannot be read. */
export function noWorker(reason: string): Worker & { restart(): void; setHome(): void } {
  const refuse = (): Promise<never> => Promise.reject(new Fault("unavailable", reason));
  return {
    state: () => ({ status: "failed", reason }),
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
