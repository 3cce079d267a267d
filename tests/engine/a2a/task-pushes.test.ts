import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { groupCommit } from "../../../lib/drivers/sql/group-commit.ts";
import { createSecretBox } from "../../../lib/drivers/secrets/secret-box.ts";
import { OPEN_ACCESS } from "../../../lib/engine/access.ts";
import { findAssistant } from "../../../lib/engine/assistants.ts";
import { endRun } from "../../../lib/engine/runs/ending.ts";
import { createPushLoop } from "../../../lib/engine/a2a/push-loop.ts";
import { createSweep } from "../../../lib/engine/runs/sweep.ts";
import { deletePushConfig, type PushRequest, setPushConfig } from "../../../lib/engine/a2a/task-pushes.ts";
import { startTask } from "../../../lib/engine/a2a/tasks.ts";
import type { WebhookMessage } from "../../../lib/engine/ports/webhooks.ts";
import type { PostResult } from "../../../lib/rules/webhooks/webhook.ts";
import { openMemory, serveForTest, type ServedForTest } from "../served.ts";

let served: ServedForTest;
let posted: WebhookMessage[];
let answers: PostResult[];
let statements: string[];
const serve = async (pushEnabled: boolean): Promise<void> => {
  posted = [];
  answers = [];
  statements = [];
  const { db: plain, close } = await openMemory();
  const db = plain.withPlugin({
    transformQuery({ node }) {
      statements.push(JSON.stringify(node));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const changes = {
    pushEnabled,
    pushOutgoing: {
      problem: () => undefined,
      post(message: WebhookMessage) {
        posted.push(message);
        return Promise.resolve(answers.shift() ?? { was: "answered" as const, status: 200 });
      },
    },
  };
  served = await serveForTest(changes, { db, commit: groupCommit(db), close });
};
beforeEach(() => serve(true));
afterEach(() => served.close());

const url = "https://example.com/secret/path?word=secret";
const request = (id: string, dialect: PushRequest["dialect"] = "1.0"): PushRequest => ({
  config: { id, url: `${url}&to=${id}`, token: "secret token" },
  dialect,
});

/** Starts a task with this push configuration; `end` ends its run. */
async function begin(push?: PushRequest): Promise<{ id: string; end: () => Promise<void> }> {
  const { platform, deployment } = served;
  const feed = await startTask(platform, deployment, {
    assistant: await findAssistant(platform, deployment, "agent"),
    message: { messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] },
    contextId: platform.newId(),
    run: { input: {} },
    streamMode: ["values"],
    headers: {},
    access: OPEN_ACCESS,
    metadata: {},
    push,
  });
  const [run] = await deployment.log.claim(1, () => ({ event: "metadata", data: "{}" }));
  const { task_id } = feed.task;
  while ((await deployment.tasks.get(task_id))?.state !== "working") await new Promise(setImmediate);
  return {
    id: task_id,
    async end() {
      if (run) await endRun(deployment, run, { status: "success" });
      await feed.rested();
    },
  };
}
async function deliver(): Promise<void> {
  const loop = createPushLoop(served.platform, served.deployment);
  loop.wake();
  await loop.idle();
  await loop.stop();
}
/** The receiver and the content of each message that was posted. */
const posts = () =>
  posted.map(({ url: to, body }) => [to.slice(to.lastIndexOf("=") + 1), Object.keys(JSON.parse(body) as object)[0]]);
const states = async () => (await served.deployment.notifications.list({ limit: 100 })).map(({ state }) => state);

describe("push notifications of a task", () => {
  test("report its end to every configuration that was set before it, by any server, in its dialect", async () => {
    const { id, end } = await begin(request("first"));
    await setPushConfig(served.platform, served.deployment, id, request("second", "0.3"));
    await setPushConfig(served.platform, served.deployment, id, request("third"));
    await deletePushConfig(served.platform, served.deployment, id, "third");
    await end();
    await setPushConfig(served.platform, served.deployment, id, request("late"));
    await deliver();
    await deliver();
    expect(posts().filter(([to]) => to === "first")).toEqual([
      ["first", "statusUpdate"],
      ["first", "artifactUpdate"],
      ["first", "statusUpdate"],
    ]);
    expect(posts().filter(([to]) => to !== "first")).toEqual([["second", "kind"]]);
    expect(new Set(posted.map((message) => message.headers?.["x-a2a-notification-token"]))).toEqual(
      new Set(["secret token"]),
    );
  });

  test("are repeated when they are due again, and the later ones follow when they are delivered", async () => {
    answers = [
      { was: "lost", why: "ECONNREFUSED" },
      { was: "answered", status: 503 },
    ];
    await (await begin(request("a"))).end();
    await deliver();
    await deliver();
    expect(posts()).toHaveLength(1);
    served.clock.time += 5_000;
    await deliver();
    expect(posts()).toHaveLength(2);
    served.clock.time += 29_999;
    await deliver();
    expect(posts()).toHaveLength(2);
    served.clock.time += 1;
    await deliver();
    const whats = [...Array<string>(3).fill("statusUpdate"), "artifactUpdate", "statusUpdate"];
    expect(posts().map(([, what]) => what)).toEqual(whats);
    expect(new Set(posted.map((message) => message.id)).size).toBe(3);
    expect(await states()).toEqual(["delivered", "delivered", "delivered"]);
    expect(served.logged).toEqual([]);
  });

  test("are given up one by one, and later ones are posted; the log has no address and no secret", async () => {
    answers = [{ was: "answered", status: 410 }];
    const { id, end } = await begin(request("a"));
    await end();
    await deliver();
    expect(posts().map(([, what]) => what)).toEqual(["statusUpdate", "artifactUpdate", "statusUpdate"]);
    expect(await states()).toEqual(["delivered", "delivered", "given_up"]);
    expect(served.logged).toEqual([`a push notification of task ${id} is given up: answered 410`]);
  });

  test("are not posted when the key is gone that sealed the address", async () => {
    await (await begin(request("a"))).end();
    const loop = createPushLoop({ ...served.platform, box: createSecretBox(["another key"]) }, served.deployment);
    loop.wake();
    await loop.idle();
    await loop.stop();
    expect(posted).toEqual([]);
    const why = "the key that sealed its address is gone";
    expect(await served.deployment.notifications.list({ limit: 10 })).toMatchObject([{ why }, { why }, { why }]);
  });

  test("reach many configurations over several servers once each, in order", async () => {
    for (let n = 0; n < 20; n++) await (await begin(request(`r${n}`))).end();
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(new Set(posted.map((message) => message.id)).size).toBe(60);
    expect(posted).toHaveLength(60);
    for (let n = 0; n < 20; n++) {
      const own = posts().filter(([to]) => to === `r${n}`);
      expect(own.map(([, what]) => what)).toEqual(["statusUpdate", "artifactUpdate", "statusUpdate"]);
    }
  });
});

test("while pushes are off, no configuration is read, and waiting notifications are not posted", async () => {
  await served.close();
  await serve(false);
  await (await begin()).end();
  await deliver();
  expect(statements.length).toBeGreaterThan(5);
  expect(statements.filter((one) => /task_pushes|push_letters/.test(one))).toEqual([]);
});

test("settled notifications are kept for a day", async () => {
  const sweep = createSweep(served.platform, served.deployment, 1000);
  await (await begin(request("a"))).end();
  await deliver();
  served.clock.time += 24 * 3_600_000 - 1;
  await sweep();
  expect(await states()).toHaveLength(3);
  served.clock.time += 60_000;
  await sweep();
  expect(await states()).toEqual([]);
});
