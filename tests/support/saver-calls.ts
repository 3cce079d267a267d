/** Calls the checkpointer of a run, in a worker process that has the graph `saver` (tests/worker/apps/threads). */
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import type { RunOrder } from "../../lib/protocol/worker.ts";
import type { WorkerWithDatabase } from "./worker-with-database.ts";

const { serde } = new MemorySaver();

/** Makes all calls, one after the other, in one run. Returns their results. */
export async function callInRun(
  worker: WorkerWithDatabase,
  calls: readonly [method: string, ...args: unknown[]][],
  order: Partial<RunOrder> = {},
  process = 0,
): Promise<unknown[]> {
  const [, bytes] = await serde.dumpsTyped(calls);
  const input = { calls: Buffer.from(bytes).toString() };
  const whole = { graph: "saver", input, modes: ["custom" as const], ...order };
  const { status, error, parsedEvents } = await worker.run(whole, process);
  if (status !== "success") throw new Error(error?.message);
  return await Promise.all(
    parsedEvents.map(async ({ data }) => ((await serde.loadsTyped("json", String(data))) as unknown[])[0]),
  );
}
