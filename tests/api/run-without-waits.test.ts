/** Tests that a run whose nodes never wait leaves the process of its deployment to others. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/waitless") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

/** More steps than are taken while a test lasts. */
const STEPS = 10_000;

/** Starts a run, and waits for the first step that its stream tells of. */
async function startSpin() {
  const { thread_id } = await client.threads.create({ graphId: "spin" });
  const { run_id } = await client.runs.create(thread_id, "spin", {
    input: { round: 0 },
    config: { recursion_limit: STEPS },
    streamMode: "updates",
    streamResumable: true,
  });
  for await (const { event } of client.runs.joinStream(thread_id, run_id)) if (event === "updates") break;
  return { thread: thread_id, run: run_id, status: async () => (await client.runs.get(thread_id, run_id)).status };
}

test("it is cancelled in the midst of it", async () => {
  const { thread, run, status } = await startSpin();
  await client.runs.cancel(thread, run, true);
  expect(await status()).toBe("interrupted");
  const [newest] = await client.threads.getHistory(thread, { limit: 1 });
  expect(newest?.metadata?.step).toBeLessThan(STEPS / 2);
});

test("other requests are answered and other runs end meanwhile", async () => {
  const { thread, run, status } = await startSpin();
  expect((await client.assistants.getGraph("say")).nodes.length).toBeGreaterThan(0);
  expect((await client.threads.getState(thread)).values).toMatchObject({ round: expect.any(Number) });
  expect(await client.runs.wait(null, "say", { input: { messages: [] } })).toBeDefined();
  expect(await status()).toBe("running");
  await client.runs.cancel(thread, run, true);
});
