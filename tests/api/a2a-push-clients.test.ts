import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "./overdue-crons.ts";
import { pushCallers } from "./push-callers.ts";
import { type Receiver, startReceiver, statesIn } from "./push-receiver.ts";

let receiver: Receiver;
let server: TestServer;
beforeAll(async () => {
  const env = { GRAPHLIB_A2A_PUSH: "true", GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: "true" };
  const app = resolve(import.meta.dirname, "apps/pushed");
  [receiver, server] = await Promise.all([startReceiver(), startServer({ app, env })]);
});
afterAll(async () => {
  await server.stop();
  receiver.close();
});

describe.each(pushCallers)("the official client %s", (version, connect) => {
  test("sets, gets, lists and deletes configurations, and their receivers are notified of the end", async () => {
    const caller = await connect(`${server.url}/a2a/gated/`);
    const [first, second, third] = ["first", "second", "third"].map((name) => `${name}-${encodeURIComponent(version)}`);
    const key = crypto.randomUUID();
    const taskId = await caller.send(key, receiver.url(`${first}`));
    const mine = { taskId, id: "mine", url: receiver.url(`${second}`) };
    expect(await caller.set(taskId, mine.url, "mine")).toEqual(mine);
    expect(await caller.get(taskId, "mine")).toEqual(mine);
    await caller.set(taskId, receiver.url(`${third}`), "other");
    expect((await caller.list(taskId)).map(({ url }) => url)).toEqual(
      [first, second, third].map((name) => receiver.url(`${name}`)),
    );
    await caller.delete(taskId, "other");
    expect(await caller.list(taskId)).toHaveLength(2);
    await fetch(`${server.url}/store/items`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ namespace: ["gates"], key, value: {} }),
    });
    for (const name of [first, second]) {
      const states = await waitFor(async () => {
        const all = statesIn(await receiver.received(`${name}`, 1));
        return all.at(-1) === "completed" ? all : undefined;
      });
      const rest = states.filter((one) => one !== "working");
      expect(rest).toEqual(version === "1.3.0" ? ["artifact reply", "completed"] : ["completed"]);
    }
  });
});
