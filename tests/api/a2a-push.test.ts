import { resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { PushDelivery } from "../../lib/protocol/push-deliveries.ts";
import { Task03, Update10 } from "../protocol/a2a-schemas.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { codeOf, parts, rawA2a } from "./a2a-raw.ts";
import { waitFor } from "./overdue-crons.ts";
import { type Receiver, startReceiver, statesIn } from "./push-receiver.ts";

const app = resolve(import.meta.dirname, "apps/pushed");
const env = { GRAPHLIB_A2A_PUSH: "true", GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: "true" };
let receiver: Receiver;
let server: TestServer;
beforeAll(async () => {
  [receiver, server] = await Promise.all([startReceiver(), startServer({ app, env })]);
});
afterAll(async () => {
  await server.stop();
  receiver.close();
});

const { request, send, get } = rawA2a(() => server);
let names = 0;
/** Returns a path of the receiver that no other test uses. */
const fresh = (): string => `place-${names++}`;
const user = (text: string, members: JsonObject = {}) => ({
  role: "user",
  parts: [{ kind: "text", text }],
  ...members,
});
const configured = (name: string, members: JsonObject = {}) => ({
  pushNotificationConfig: { url: receiver.url(name), ...members },
});
/** Sends by v1.0 with a configuration and returns the task. */
async function sendV1(graph: string, text: string, config: JsonObject, wait = true): Promise<{ id: string }> {
  const { result } = await request(graph, "SendMessage", {
    message: { messageId: "m1", role: "ROLE_USER", parts: [{ text }] },
    configuration: { returnImmediately: !wait, taskPushNotificationConfig: config },
  });
  return (result as { task: { id: string } }).task;
}
const open = (key: string) =>
  fetch(`${server.url}/store/items`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ namespace: ["gates"], key, value: {} }),
  });
async function deliveries(query = ""): Promise<PushDelivery[]> {
  const answer = await fetch(`${server.url}/api/deployments/default/a2a/deliveries${query}`);
  return PushDelivery.array().parse(await answer.json());
}

describe("a client of v1.0 that sends an address with its message", () => {
  test("is notified of working, each artifact and the end, in this order", async () => {
    const name = fresh();
    const task = await sendV1("gated", name, { url: receiver.url(name), token: "my token" }, false);
    const [works] = await receiver.received(name, 1);
    expect(works?.body).toMatchObject({ statusUpdate: { taskId: task.id, status: { state: "TASK_STATE_WORKING" } } });
    await open(name);
    const pushes = await receiver.received(name, 3);
    expect(statesIn(pushes)).toEqual(["working", "artifact reply", "completed"]);
    for (const { body, headers } of pushes) {
      Update10.parse(body);
      expect(headers).toMatchObject({ "content-type": "application/a2a+json", "x-a2a-notification-token": "my token" });
      expect(headers).not.toHaveProperty("authorization");
      expect(headers).not.toHaveProperty("x-app");
    }
    expect(pushes[1]?.body).toMatchObject({ artifactUpdate: { artifact: { parts: [{ text: "open" }] } } });
    expect(new Set(pushes.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  });

  test("is notified of every artifact before the end, with its credentials", async () => {
    const name = fresh();
    const authentication = { scheme: "Bearer", credentials: "secret word" };
    await sendV1("echo", "hello", { url: receiver.url(name), token: "not this", authentication });
    const pushes = await waitFor(async () => {
      const all = await receiver.received(name, 3);
      return statesIn(all).includes("completed") ? all : undefined;
    });
    expect(statesIn(pushes).filter((state) => state !== "working")).toEqual([
      "artifact reply",
      "artifact copy",
      "completed",
    ]);
    for (const { headers } of pushes) {
      expect(headers.authorization).toBe("Bearer secret word");
      expect(headers).not.toHaveProperty("x-a2a-notification-token");
    }
  });
});

describe("a client of v0.3 that sends an address with its message", () => {
  test("receives the whole task at each change, also after an answer without the address", async () => {
    const name = fresh();
    const interrupted = await send("ask", { message: user("go"), configuration: configured(name) });
    expect(interrupted.status.state).toBe("input-required");
    await receiver.received(name, 1);
    await send("ask", { message: user("yes", { taskId: interrupted.id }) });
    const pushes = await waitFor(async () => {
      const all = await receiver.received(name, 2);
      return statesIn(all).at(-1) === "completed" ? all : undefined;
    });
    expect(statesIn(pushes).filter((state) => state !== "working")).toEqual(["input-required", "completed"]);
    const tasks = pushes.map(({ body }) => Task03.parse(body));
    expect(tasks.map(({ id }) => id)).toEqual(tasks.map(() => interrupted.id));
    expect(tasks.at(-1)).toEqual(await get("ask", interrupted.id));
    expect(pushes[0]?.headers["content-type"]).toBe("application/json");
  });

  test("is notified of failures, and of a task that was cancelled while it waited", async () => {
    const [failed, cancelled] = [fresh(), fresh()];
    await send("failing", { message: user("go"), configuration: configured(failed) });
    const { id } = await send("ask", { message: user("go"), configuration: configured(cancelled) });
    expect((await request("ask", "tasks/cancel", { id })).error).toBeUndefined();
    const ends = await waitFor(async () => {
      const states = [statesIn(await receiver.received(failed, 1)), statesIn(await receiver.received(cancelled, 2))];
      return states.every((one) => one.at(-1) === "failed" || one.at(-1) === "canceled") ? states : undefined;
    });
    expect(ends.map((states) => states.filter((one) => one !== "working"))).toEqual([
      ["failed"],
      ["input-required", "canceled"],
    ]);
  });
});

describe("configurations", () => {
  test("of v0.3 are set, found, listed and deleted, with the task's id when they have none", async () => {
    const { id } = await send("ask", { message: user("go") });
    const set = (members: JsonObject) =>
      request("ask", "tasks/pushNotificationConfig/set", { taskId: id, ...configured("x", members) });
    const shown = (config: string, members = {}) => ({
      taskId: id,
      pushNotificationConfig: { id: config, url: receiver.url("x"), ...members },
    });
    expect((await set({ token: "t" })).result).toEqual(shown(id));
    const authentication = { schemes: ["Basic"], credentials: "YTpi" };
    const other = shown("other", { authentication: { schemes: ["Basic"] } });
    expect((await set({ id: "other", authentication })).result).toEqual(other);
    const method = (verb: string, params: JsonObject = {}) =>
      request("ask", `tasks/pushNotificationConfig/${verb}`, { id, ...params });
    expect((await method("get")).result).toEqual(shown(id));
    expect((await method("get", { pushNotificationConfigId: "other" })).result).toEqual(other);
    expect(await codeOf(method("get", { pushNotificationConfigId: "none" }))).toBe(-32001);
    expect((await method("list")).result).toEqual([shown(id), other]);
    for (let n = 0; n < 2; n++) {
      expect((await method("delete", { pushNotificationConfigId: id })).result).toBeNull();
    }
    expect(await codeOf(method("delete"))).toBe(-32602);
    expect((await method("list")).result).toEqual([other]);
    expect(await codeOf(request("ask", "tasks/pushNotificationConfig/list", { id: crypto.randomUUID() }))).toBe(-32001);
    expect(await codeOf(request("echo", "tasks/pushNotificationConfig/list", { id }))).toBe(-32001);
  });

  test("of v1.0 get an id, replace one of the same id, and are sixteen at most", async () => {
    const { id: taskId } = await send("ask", { message: user("go") });
    const url = receiver.url("x");
    const make = (members: JsonObject = {}) =>
      request("ask", "CreateTaskPushNotificationConfig", { taskId, url, ...members });
    const first = (await make()).result as { id: string };
    expect(first).toEqual({ taskId, id: expect.stringMatching(/^[0-9a-f-]{36}$/), url });
    for (let n = 2; n <= 16; n++) expect((await make({ id: `config ${n}` })).error).toBeUndefined();
    expect((await make()).error).toMatchObject({ code: -32602, data: [{ fieldViolations: [{ field: "id" }] }] });
    const answer = { message: user("yes", { taskId }), configuration: configured("x") };
    expect(await codeOf(request("ask", "message/send", answer))).toBe(-32602);
    expect((await get("ask", taskId)).status.state).toBe("input-required");
    expect((await make({ id: first.id, url: `${url}/2` })).result).toEqual({ ...first, url: `${url}/2` });
    const listed = await request("ask", "ListTaskPushNotificationConfigs", { taskId });
    expect(listed.result).toMatchObject({ configs: { length: 16 }, nextPageToken: "" });
    const one = { taskId, id: first.id };
    expect((await request("ask", "GetTaskPushNotificationConfig", one)).result).toEqual({ ...one, url: `${url}/2` });
    expect(await codeOf(request("ask", "GetTaskPushNotificationConfig", { taskId }))).toBe(-32602);
    expect((await request("ask", "DeleteTaskPushNotificationConfig", one)).result).toBeNull();
    expect(await codeOf(request("ask", "GetTaskPushNotificationConfig", one))).toBe(-32001);
  });

  test("are encrypted in the database", async () => {
    const name = `secret-${fresh()}`;
    const { id } = await sendV1("ask", "go", { url: receiver.url(name), token: "secret token" });
    const database = new Sqlite(`${server.home}/deployments/default/database.sqlite`, { readonly: true });
    const rows = database.prepare("select * from task_pushes where task_id = ?").all(id);
    database.close();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("secret");
    expect(server.output()).not.toContain("secret");
  });
});

test("a delivery that failed is retried, and later ones of its task wait for it", async () => {
  const name = fresh();
  receiver.answer(name, 503);
  const { id } = await sendV1("gated", name, { url: receiver.url(name) }, false);
  await receiver.received(name, 1);
  await open(name);
  const pushes = await receiver.received(name, 4);
  expect(statesIn(pushes)).toEqual(["working", "working", "artifact reply", "completed"]);
  expect(pushes[0]?.headers["webhook-id"]).toBe(pushes[1]?.headers["webhook-id"]);
  const done = await waitFor(async () => {
    const all = await deliveries(`?task_id=${id}&limit=3`);
    return all.every(({ state }) => state === "delivered") ? all : undefined;
  });
  expect(done.map(({ kind, attempt, status, due_at }) => [kind, attempt, status, due_at])).toEqual([
    ["status", 1, 200, null],
    ["artifact", 1, 200, null],
    ["status", 2, 200, null],
  ]);
});

test("failed deliveries are listed and survive a killed server: none is lost, and none that was accepted comes twice", async () => {
  const name = fresh();
  receiver.answer(name, 200, ...Array<number>(3).fill(500));
  const { id } = await sendV1("gated", name, { id: "mine", url: receiver.url(name) }, false);
  await receiver.received(name, 1);
  await open(name);
  const waiting = await waitFor(async () => {
    const all = await deliveries(`?task_id=${id}`);
    return all[1]?.status === 500 ? all : undefined;
  });
  expect(waiting.map(({ kind, state }) => [kind, state])).toEqual([
    ["status", "waiting"],
    ["artifact", "waiting"],
    ["status", "delivered"],
  ]);
  const { host } = new URL(receiver.url(name));
  expect(waiting[1]).toMatchObject({ task_id: id, config_id: "mine", host, why: "answered 500" });
  expect(JSON.stringify(waiting)).not.toContain(name);
  expect(await deliveries(`?task_id=${id}&assistant_id=none`)).toEqual([]);
  await server.crash();
  receiver.answer(name);
  const database = new Sqlite(`${server.home}/deployments/default/database.sqlite`);
  const late = database.prepare("update push_letters set due = 0 where state = 'waiting' and task_id = ?").run(id);
  expect(late.changes).toBe(2);
  database.close();
  server = await startServer({ app, env, home: server.home });
  await waitFor(async () => {
    const all = await deliveries(`?task_id=${id}`);
    return all.every(({ state }) => state === "delivered") ? true : undefined;
  });
  const pushes = await receiver.received(name, 4);
  expect([...new Set(statesIn(pushes))]).toEqual(["working", "artifact reply", "completed"]);
  expect(new Set(pushes.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
  expect(statesIn(pushes).filter((state) => !state.startsWith("artifact"))).toEqual(["working", "completed"]);
});

test("a task under way when the server is killed sends its end once, after the restart", async () => {
  const name = fresh();
  const { id } = await sendV1("gated", name, { url: receiver.url(name) }, false);
  // The first delivery must be recorded. One that a killed server was about to record is sent again.
  await waitFor(async () => ((await deliveries(`?task_id=${id}`))[0]?.state === "delivered" ? true : undefined));
  await server.crash();
  server = await startServer({ app, env, home: server.home });
  await open(name);
  const pushes = await receiver.received(name, 3);
  expect(statesIn(pushes)).toEqual(["working", "artifact reply", "completed"]);
  const sent = (await deliveries(`?task_id=${id}`)).map(({ kind, state }) => [kind, state]);
  expect(sent).toHaveLength(3);
});

test("a message without an address sends no notifications", async () => {
  const { id } = await send("echo", { message: { role: "user", parts } });
  expect(await deliveries(`?task_id=${id}`)).toEqual([]);
});
