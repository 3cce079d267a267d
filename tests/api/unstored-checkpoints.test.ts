/** The database refuses checkpoints of some threads, as a full disk would. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({
  app: resolve(import.meta.dirname, "apps/modes"),
  own: true,
  errors: [/a request of run .* failed/],
});
const client = (): Client => new Client({ apiUrl: server.url });
const say = (content: string) => ({ messages: [{ type: "human", content }] });

let database: Sqlite.Database;
beforeEach(() => {
  database = new Sqlite(`${server.home}/deployments/default/database.sqlite`);
  database.exec("create table if not exists refused (thread_id text)");
});
afterEach(() => database.close());

async function contents(thread: string): Promise<string[]> {
  const { values } = await client().threads.getState<{ messages: { content: string }[] }>(thread);
  return values.messages.map(({ content }) => content);
}

/** Refuses the rows of a table for threads in `refused`. */
function refuse(table: "checkpoints" | "checkpoint_writes"): void {
  database.exec(`create trigger refuse_${table} before insert on ${table}
    when new.thread_id in (select thread_id from refused) begin select raise(abort, 'the disk is full'); end`);
}

test.each(["checkpoints", "checkpoint_writes"] as const)(
  "a run whose %s cannot be stored fails, its thread keeps its state, and others go on",
  async (table) => {
    const [bad, good] = [randomUUID(), randomUUID()];
    for (const thread of [bad, good])
      await client().runs.wait(thread, "chat", { input: say("first"), ifNotExists: "create" });
    const before = await contents(bad);
    refuse(table);
    database.prepare("insert into refused values (?)").run(bad);

    const runs = await Promise.all(
      [bad, good, bad, good].map((thread) =>
        raw(`${server.url}/threads/${thread}/runs/wait`, {
          body: JSON.stringify({ assistant_id: "chat", input: say("second"), multitask_strategy: "enqueue" }),
        }),
      ),
    );
    for (const [index, answer] of runs.entries()) {
      const error = json<{ __error__?: { message: string } }>(answer).__error__;
      if (index % 2 === 0) expect(error?.message).toBe("The host could not answer");
      else expect(error).toBeUndefined();
    }
    expect((await client().runs.list(bad)).map(({ status }) => status)).toEqual(["error", "error", "success"]);
    expect(await client().threads.get(bad)).toMatchObject({ status: "error" });
    expect(await contents(bad)).toEqual(before);

    database.exec(`drop trigger refuse_${table}; delete from refused`);
    const later = (await client().runs.wait(bad, "chat", { input: say("third") })) as {
      messages: { content: string }[];
    };
    expect(later.messages.map(({ content }) => content)).toContain("third");
    expect(await client().threads.get(bad)).toMatchObject({ status: "idle" });
  },
);

test.each(["failing", "halfway"])(
  "a run of %s that is no success leaves its thread's state as it can be read",
  async (graph) => {
    const thread = randomUUID();
    await client().runs.wait(thread, "chat", { input: say("first"), ifNotExists: "create" });
    const { values } = await client().threads.get(thread);
    refuse("checkpoints");
    database.prepare("insert into refused values (?)").run(thread);
    const events = client().runs.stream(thread, graph, { input: say("second"), streamMode: "custom" });
    try {
      for await (const { event, data } of events)
        if (event === "custom" && data === "begun")
          await client().runs.cancelMany({ threadId: thread, status: "running" });
    } catch {
      // The client throws the error of the run.
    }
    expect((await client().threads.get(thread)).values).toEqual(values);
    expect(await contents(thread)).toEqual(
      (values as { messages: { content: string }[] }).messages.map((one) => one.content),
    );
    database.exec("drop trigger refuse_checkpoints; delete from refused");
  },
);

test("the stream of such a run ends with the error, and only once", async () => {
  const thread = randomUUID();
  await client().runs.wait(thread, "chat", { input: say("first"), ifNotExists: "create" });
  refuse("checkpoints");
  database.prepare("insert into refused values (?)").run(thread);
  const events: string[] = [];
  for await (const { event } of client().runs.stream(thread, "chat", { input: say("second"), streamMode: "updates" }))
    events.push(event);
  expect(events.filter((event) => event === "error")).toHaveLength(1);
  expect(events.at(-1)).toBe("error");
  database.exec("drop trigger refuse_checkpoints; delete from refused");
});
