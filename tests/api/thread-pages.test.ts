/** Pages of threads by cursor, and the threads that wait for a person, against the production server. */
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import type { Thread } from "../../lib/protocol/threads.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const input = { messages: [{ role: "user", content: "hello" }] };

async function search(url: string, body: object, headers: Record<string, string> = {}) {
  const answer = await raw(`${url}/threads/search`, { body: JSON.stringify(body), headers });
  return {
    status: answer.status,
    text: answer.text,
    threads: answer.status === 200 ? json<Thread[]>(answer) : [],
    cursor: answer.headers["x-pagination-cursor"]?.toString(),
    total: answer.headers["x-pagination-total"],
  };
}

describe("threads", () => {
  const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
  const client = (): Client => new Client({ apiUrl: server.url, apiKey: null });
  const countOf = async (body: object): Promise<number> =>
    json<number>(await raw(`${server.url}/threads/count`, { body: JSON.stringify(body) }));

  test("are read in pages by cursor, each once, without a total, in either order", async () => {
    const metadata = { mark: randomUUID() };
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push((await client().threads.create({ metadata })).thread_id);
    for (const sort_order of ["asc", "desc"]) {
      for (const sort_by of ["created_at", "updated_at", "state_updated_at"]) {
        const found: string[] = [];
        let cursor: string | undefined = "";
        while (cursor !== undefined) {
          const page = await search(server.url, { metadata, sort_by, sort_order, limit: 3, cursor });
          expect(page).toMatchObject({ status: 200, total: undefined });
          found.push(...page.threads.map((thread) => thread.thread_id));
          ({ cursor } = page);
        }
        expect(found).toEqual(sort_order === "asc" ? ids : ids.toReversed());
      }
    }
    expect(await search(server.url, { metadata })).toMatchObject({ total: "7", cursor: undefined });
  });

  test("that wait for a person are marked, found and counted, until they are answered", async () => {
    const metadata = { mark: randomUUID() };
    const { thread_id } = await client().threads.create({ metadata });
    const quiet = await client().threads.create({ metadata });
    expect(quiet).toMatchObject({ waiting: false });
    await client().runs.wait(thread_id, "ask", { input });
    const waiting = { metadata, waiting: true };
    expect((await client().threads.get(thread_id)) as unknown).toMatchObject({ waiting: true, status: "interrupted" });
    for (const cursor of [undefined, ""]) {
      for (const [wanted, id] of [
        [true, thread_id],
        [false, quiet.thread_id],
      ] as const) {
        const found = await search(server.url, {
          ...waiting,
          waiting: wanted,
          cursor,
          select: ["thread_id", "waiting"],
        });
        expect(found.threads).toEqual([{ thread_id: id, waiting: wanted }]);
      }
    }
    expect(await countOf(waiting)).toBe(1);
    await client().runs.wait(thread_id, "ask", { command: { resume: "yes" } });
    expect(await countOf(waiting)).toBe(0);
    await client()
      .runs.wait(thread_id, "chat", { input })
      .catch(() => undefined);
    const breaks = await client().threads.create({ metadata });
    await client().runs.wait(breaks.thread_id, "chat", { input, interruptBefore: "*" });
    expect((await search(server.url, { ...waiting, cursor: "" })).threads).toMatchObject([
      { thread_id: breaks.thread_id, interrupts: {} },
    ]);
  });

  test("are not found by what is no page, and the answer says why", async () => {
    await client().threads.create();
    await client().threads.create();
    const { cursor } = await search(server.url, { cursor: "", limit: 1 });
    expect(cursor).toMatch(/^[\w-]+$/);
    const refusals: [object, string][] = [
      [{ cursor: "garbage" }, "cursor: expected a cursor as x-pagination-cursor has returned it"],
      [{ cursor, sort_by: "updated_at" }, "sorted by created_at desc, not by updated_at desc"],
      [{ cursor, sort_order: "asc" }, "sorted by created_at desc, not by created_at asc"],
      [{ cursor, offset: 1 }, "offset: expected none beside a cursor"],
      [{ cursor: "", sort_by: "status" }, "sort_by: expected one of created_at, updated_at, state_updated_at"],
      [{ cursor: 1 }, "cursor: "],
      [{ waiting: "yes" }, "waiting: "],
    ];
    for (const [body, why] of refusals) {
      expect({ body, ...(await search(server.url, body)) }).toMatchObject({
        body,
        status: 422,
        text: expect.stringContaining(why),
      });
    }
    expect((await search(server.url, { cursor, offset: 0, limit: 1 })).threads).toHaveLength(1);
  });
});

const guarded = useServer({ app: join(import.meta.dirname, "apps", "guarded") });
test("a cursor shows nobody the threads of another user", async () => {
  const bearer = (user: string) => ({ authorization: `Bearer ${user}` });
  const make = (user: string) =>
    new Client({ apiUrl: guarded.url, apiKey: null, defaultHeaders: bearer(user) }).threads.create();
  const [ada, bob] = [`a-${randomUUID()}`, `b-${randomUUID()}`];
  const hers = [await make(ada), await make(ada), await make(ada)];
  const his = [await make(bob), await make(bob)];
  const { cursor } = await search(guarded.url, { cursor: "", limit: 1, sort_order: "asc" }, bearer(ada));
  const stolen = await search(guarded.url, { cursor, sort_order: "asc", limit: 1_000 }, bearer(bob));
  expect(stolen.threads.map((thread) => thread.thread_id)).toEqual(his.map((thread) => thread.thread_id));
  const asked = { cursor: "", ids: hers.map((thread) => thread.thread_id) };
  expect((await search(guarded.url, asked, bearer(bob))).threads).toEqual([]);
  expect((await search(guarded.url, { cursor: "", metadata: { owner: ada } }, bearer(bob))).threads).toEqual([]);
});
