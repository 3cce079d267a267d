import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { idOf, makeOverdue, waitFor } from "./overdue-crons.ts";

const app = join(import.meta.dirname, "apps", "guarded");
const env = { GRAPHLIB_API_KEY: "correct horse battery" };
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ app, env });
});
afterAll(() => server.stop());

const as = (user: string): Client =>
  new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { authorization: `Bearer ${user}` } });
const operator = (): Client => new Client({ apiUrl: server.url, apiKey: env.GRAPHLIB_API_KEY });
const refused = (status: number) => expect.objectContaining({ status });
const yearly = { schedule: "0 0 1 1 *", input: { wait: null } };

test("a cron is stored with the metadata that the application adds, and only its creator sees it", async () => {
  const [ada, bob] = [as("ada"), as("bob")];
  const cron = await ada.crons.create("told", { ...yearly, metadata: { topic: "tea" } });
  expect(cron).toMatchObject({ user_id: "ada", metadata: { topic: "tea", owner: "ada" } });
  expect(cron).not.toHaveProperty("user");
  const id = idOf(cron);
  await bob.crons.create("told", yearly);

  expect(await ada.crons.search()).toEqual([cron]);
  expect(await ada.crons.search({ select: ["cron_id"] })).toEqual([{ cron_id: id }]);
  expect(await ada.crons.count()).toBe(1);
  expect(await bob.crons.search({ metadata: { owner: "ada" } })).toEqual([]);

  await expect(bob.crons.update(id, { enabled: false })).rejects.toEqual(refused(404));
  await expect(bob.crons.delete(id)).rejects.toEqual(refused(404));
  expect(await ada.crons.search()).toEqual([cron]);

  const changed = await ada.crons.update(id, { enabled: false, input: { wait: false }, metadata: { owner: "bob" } });
  expect(changed).toMatchObject({
    enabled: false,
    payload: { input: { wait: false } },
    metadata: { topic: "tea", owner: "ada" },
    user_id: "ada",
  });
  await ada.crons.delete(id);
  expect(await ada.crons.count()).toBe(0);
});

test("a handler can change a cron, or refuse it by the payload of its runs", async () => {
  expect(await as("dana").crons.create("told", yearly)).toMatchObject({ schedule: "0 0 2 1 *" });
  const noisy = { ...yearly, webhook: "https://example.com/" };
  await expect(as("dana").crons.create("told", noisy)).rejects.toEqual(refused(403));
});

test("a run of a cron that is started now is its creator's, whoever starts it, and only if the creator may", async () => {
  const id = idOf(await as("ada").crons.create("told", { ...yearly, onRunCompleted: "keep", metadata: { now: true } }));
  const now = async (headers: Record<string, string>, cron = id) =>
    await fetch(`${server.url}/runs/crons/${cron}/run`, { method: "POST", headers });
  expect((await now({ authorization: "Bearer bob" })).status).toBe(404);
  expect((await now({})).status).toBe(401);
  const starters: Record<string, string>[] = [{ authorization: "Bearer ada" }, { "x-api-key": env.GRAPHLIB_API_KEY }];
  for (const headers of starters) {
    const { thread_id, run_id } = (await (await now(headers)).json()) as { thread_id: string; run_id: string };
    expect(await as("ada").runs.join(thread_id, run_id)).toMatchObject({ id: "ada" });
    await expect(as("bob").threads.get(thread_id)).rejects.toEqual(refused(404));
  }
  const foreign = await as("bob").threads.create();
  const lost = idOf(await as("bob").crons.createForThread(foreign.thread_id, "told", yearly));
  await operator().threads.update(foreign.thread_id, { metadata: { owner: "carol" } });
  expect((await now({ authorization: "Bearer bob" }, lost)).status).toBe(404);
  expect((await now({ "x-api-key": env.GRAPHLIB_API_KEY }, lost)).status).toBe(404);
  expect(await operator().runs.list(foreign.thread_id)).toEqual([]);
  await as("ada").crons.delete(id);
});

test("a cron on a thread needs access to the thread", async () => {
  const { thread_id } = await as("ada").threads.create();
  await expect(as("bob").crons.createForThread(thread_id, "told", yearly)).rejects.toEqual(refused(404));
  const cron = await as("ada").crons.createForThread(thread_id, "told", yearly);
  expect(cron).toMatchObject({ thread_id, user_id: "ada" });
});

test("runs of a cron are its creator's, on threads that the creator may change, also after the server was killed", async () => {
  const [ada, bob] = [as("ada"), as("bob")];
  const own = await ada.threads.create();
  const kept = idOf(await ada.crons.create("told", { ...yearly, onRunCompleted: "keep" }));
  const onThread = idOf(await ada.crons.createForThread(own.thread_id, "told", yearly));
  const foreign = await bob.threads.create();
  const lost = idOf(await bob.crons.createForThread(foreign.thread_id, "told", yearly));
  // The creator has no access to this thread when the time comes.
  await operator().threads.update(foreign.thread_id, { metadata: { owner: "carol" } });
  await server.crash();
  makeOverdue(server.home, [kept, onThread, lost]);
  server = await startServer({ app, env, home: server.home });

  const { thread_id } = await waitFor(async () => {
    const [thread] = await as("ada").threads.search({ metadata: { cron_id: kept } });
    return thread?.status === "idle" ? thread : undefined;
  });
  for (const id of [thread_id, own.thread_id]) {
    const thread = await waitFor(async () => {
      const found = await as("ada").threads.get(id);
      return found.status === "idle" && found.values ? found : undefined;
    });
    expect(thread).toMatchObject({
      metadata: { owner: "ada" },
      values: { id: "ada", permissions: ["talk"], user: { identity: "ada", method: "POST" } },
    });
    const [run] = await as("ada").runs.list(id);
    expect(run?.metadata).toMatchObject({ owner: "ada" });
    await expect(as("bob").threads.get(id)).rejects.toEqual(refused(404));
  }
  await waitFor(async () => {
    const [cron] = await operator().crons.search({ threadId: foreign.thread_id });
    return Date.parse(cron?.next_run_date ?? "") > Date.now() ? true : undefined;
  });
  expect(await operator().runs.list(foreign.thread_id)).toEqual([]);
  await expect
    .poll(() => server.output())
    .toContain(`cron ${lost} started no run: Thread with ID ${foreign.thread_id} not found`);
});
