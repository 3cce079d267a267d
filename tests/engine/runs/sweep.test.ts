import { afterEach, expect, test } from "vitest";
import { createSweep } from "../../../lib/engine/runs/sweep.ts";
import { createThread } from "../../../lib/engine/threads/threads.ts";
import { putItem } from "../../../lib/engine/store.ts";
import { AppConfig } from "../../../lib/protocol/config.ts";
import { ThreadCreate } from "../../../lib/protocol/threads.ts";
import { serveForTest, type ServedForTest } from "../served.ts";

const MINUTE = 60_000;
let served: ServedForTest;
afterEach(() => served.close());

const serve = async (config: object): Promise<void> => {
  served = await serveForTest({ config: AppConfig.parse({ graphs: { agent: "./agent.ts:graph" }, ...config }) });
};
const thread = () => createThread(served.platform, served.deployment, ThreadCreate.parse({ ttl: { ttl: 1 } }));
const item = (key: string) => putItem(served.platform, served.deployment, { namespace: ["a"], key, value: {}, ttl: 1 });
/** Counts what is stored. Items are read as of time 0, so that expired ones count until they are deleted. */
const stored = async () => ({
  items: (await served.deployment.items.search({ prefix: [], conditions: [], limit: 10, offset: 0 }, 0)).length,
  threads: await served.deployment.threads.count({}),
});

test("expired rows are deleted at every sweep", async () => {
  await serve({});
  const sweep = createSweep(served.platform, served.deployment, 1000);
  for (let turn = 0; turn < 2; turn++) {
    await thread();
    await item("one");
    served.clock.time += MINUTE;
    await sweep();
    expect(await stored()).toEqual({ items: 0, threads: 0 });
  }
});

test("expired rows are deleted as rarely, and as few at a time, as the configuration says", async () => {
  await serve({
    store: { ttl: { sweep_interval_minutes: 3 } },
    checkpointer: { ttl: { sweep_interval_minutes: 2, sweep_limit: 2 } },
  });
  const sweep = createSweep(served.platform, served.deployment, 1000);
  await sweep();
  for (let n = 0; n < 3; n++) await thread();
  await item("one");
  const seen: unknown[] = [];
  for (let minute = 1; minute <= 4; minute++) {
    served.clock.time += MINUTE;
    await sweep();
    seen.push(await stored());
  }
  expect(seen).toEqual([
    { items: 1, threads: 3 },
    { items: 1, threads: 1 },
    { items: 0, threads: 1 },
    { items: 0, threads: 0 },
  ]);
});
