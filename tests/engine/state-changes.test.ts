import { expect, test } from "vitest";
import { noWorker } from "../../lib/drivers/workers/no-worker.ts";
import { updateThreadState } from "../../lib/engine/threads/state.ts";
import { Fault } from "../../lib/protocol/faults.ts";
import { StateUpdate } from "../../lib/protocol/threads.ts";
import { checkpointOf, host } from "../drivers/checkpoint-samples.ts";
import { newRun, onThread } from "../drivers/runs.suite.ts";
import { serveForTest } from "./served.ts";

const thread_id = "00000000-0000-4000-8000-000000000001";
const update = StateUpdate.parse({ values: { n: 1 } });

/** Serves a thread whose graph, while it changes the state, lets `meanwhile` happen and then stores a checkpoint. */
async function serveThread(meanwhile: (enqueue: () => Promise<unknown>) => Promise<void>) {
  const served = await serveForTest({
    worker: {
      ...noWorker("only the state is here"),
      async threadState() {
        const { runs, checkpoints } = served.deployment;
        await meanwhile(() => runs.enqueue(...onThread(newRun({ thread_id, threaded: true }))));
        try {
          await checkpoints.put(host, checkpointOf(thread_id, {}), []);
        } catch (error) {
          // The worker reports an error of its host as one of the graph.
          throw new Fault("invalid", String(error));
        }
        return expect.unreachable();
      },
    },
  });
  const now = new Date(served.clock.time).toISOString();
  await served.deployment.threads.insert({ thread_id, metadata: { graph_id: "agent" }, config: {}, created_at: now });
  return served;
}

test("a change of a state is refused as busy when a run is stored while the graph works on it", async () => {
  const { platform, deployment, close } = await serveThread(async (enqueue) => {
    await enqueue();
  });
  const refused = { code: "conflict", message: "Thread is busy" };
  await expect(updateThreadState(platform, deployment, thread_id, update)).rejects.toMatchObject(refused);
  expect(await deployment.checkpoints.outline({ thread: thread_id, ns: "" }, { limit: 9 })).toEqual([]);
  await close();
});

test("a change that the graph refuses is invalid, with the graph's reason", async () => {
  const { platform, deployment, close } = await serveThread(() => Promise.reject(new Fault("invalid", "no such node")));
  const refused = { code: "invalid", message: "no such node" };
  await expect(updateThreadState(platform, deployment, thread_id, update)).rejects.toMatchObject(refused);
  await close();
});
