import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { firstFound } from "../../lib/client/call.ts";
import { createChat } from "../../lib/client/chat.ts";
import { cronApi } from "../../lib/client/crons.ts";
import { followRun } from "../../lib/client/follow-run.ts";
import { threadListApi } from "../../lib/client/listed-threads.ts";
import { newId } from "../../lib/client/new-id.ts";
import { runApi } from "../../lib/client/runs.ts";
import { storeApi } from "../../lib/client/store.ts";
import { studioApi } from "../../lib/client/studio/api.ts";
import { threadApi } from "../../lib/client/threads.ts";
import { useServer } from "../support/use-server.ts";
import { stubBrowser } from "./stub-server.ts";

const server = useServer({ own: true, app: join(import.meta.dirname, "apps/chat") });
beforeAll(stubBrowser);

const signal = new AbortController().signal;
const request = { assistant_id: "echo", input: { messages: [{ role: "user", content: "hello" }] } };

describe("the lists of the rooms", () => {
  test("page through threads, count them, copy one and delete many", async () => {
    const { create } = threadApi(server.url);
    const api = threadListApi(server.url);
    const metadata = { mark: newId() };
    const ids = Array.from({ length: 5 }, newId);
    for (const id of ids) await create(id, metadata);
    expect(await api.count({ metadata })).toBe(5);
    const first = await api.page({ metadata }, { limit: 3, sort_by: "created_at" });
    expect(first.items.map((one) => one.thread_id)).toEqual(ids.toReversed().slice(0, 3));
    expect(first.items[0]).toMatchObject({ waiting: false, status: "idle", metadata, created_at: expect.any(String) });
    const rest = await api.page({ metadata }, { limit: 3, sort_by: "created_at", cursor: first.cursor });
    expect(rest.items.map((one) => one.thread_id)).toEqual(ids.toReversed().slice(3));
    expect(rest.cursor).toBeUndefined();
    const copy = (await studioApi(server.url).copy(ids[0] ?? "")).thread_id;
    expect(await api.count({ metadata })).toBe(6);
    expect(await api.removeMany([...ids, copy, newId()])).toBe(6);
    expect(await api.count({ metadata })).toBe(0);
  });

  test("find runs by who started them, and cancel the open ones of threads", async () => {
    const api = runApi(server.url);
    const thread = newId();
    await threadApi(server.url).create(thread, {});
    await followRun(server.url, request, { signal, onEvent: () => {} }, thread, "studio");
    await followRun(server.url, request, { signal, onEvent: () => {} }, thread, "chat");
    const { items, cursor } = await api.search({ thread_id: thread }, { limit: 10 });
    expect(items.map((run) => run.trigger)).toEqual(["chat", "studio"]);
    expect(items[0]).not.toHaveProperty("kwargs");
    expect(cursor).toBeUndefined();
    expect(await api.count({ thread_id: thread, trigger: "studio" })).toBe(1);
    expect(await api.get(items[0]?.run_id ?? "")).toMatchObject({ status: "success", kwargs: {} });
    await api.cancelOf([thread]);
  });

  test("find the runs that the chat has started", async () => {
    const thread = newId();
    const chat = createChat({ base: server.url, thread, isNew: true, assistant: "echo" });
    await chat.send("hello");
    const { items } = await runApi(server.url).search({ thread_id: thread }, { limit: 10 });
    expect(items.map((run) => run.trigger)).toEqual(["chat"]);
  });

  test("pause a cron, let it go on, run it now and delete it", async () => {
    const api = cronApi(server.url);
    const created = await fetch(`${server.url}/runs/crons`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...request, schedule: "0 0 1 1 *" }),
    });
    const { cron_id } = (await created.json()) as { cron_id: string };
    expect(await api.enable(cron_id, false)).toMatchObject({ enabled: false, next_run_date: null });
    expect((await api.enable(cron_id, true)).next_run_date).not.toBeNull();
    expect(await api.runNow(cron_id)).toMatchObject({ trigger: "cron", metadata: { cron_id } });
    const { crons, total } = await api.search({ limit: 10 });
    expect({ total, ids: crons.map((cron) => cron.cron_id) }).toEqual({ total: 1, ids: [cron_id] });
    expect(await api.count()).toBe(1);
    await api.remove(cron_id);
    expect(await api.count()).toBe(0);
  });

  test("count the items of namespaces", async () => {
    const api = storeApi(server.url);
    for (const namespace of [["a"], ["a", "b"], ["c"]]) await api.put({ namespace, key: "key", value: { n: 1 } });
    expect(await api.namespaces(10, 0)).toEqual({ namespaces: [["a"], ["a", "b"], ["c"]], counts: [2, 1, 1] });
    await api.remove({ namespace: ["a"], key: "key" });
    expect(await api.namespaces(1, 0)).toEqual({ namespaces: [["a", "b"]], counts: [1] });
  });
});

test("an empty page is followed by the next ones, a few times at most", async () => {
  const pages = Array.from({ length: 9 }, (_, n) => ({ items: n === 2 ? ["found"] : [], cursor: `${n + 1}` }));
  const read: string[] = [];
  const page = (cursor: string) => {
    read.push(cursor);
    return Promise.resolve(pages[Number(cursor)] ?? { items: [] });
  };
  expect(await firstFound("0", page)).toEqual({ items: ["found"], cursor: "3" });
  expect(read).toEqual(["0", "1", "2"]);
  expect(await firstFound("3", page)).toEqual({ items: [], cursor: "8" });
});
