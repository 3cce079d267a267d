import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { startEmbeddings } from "../support/embeddings.ts";
import { raw } from "../support/raw.ts";
import { startServer } from "../support/server.ts";

test("with store.index, items are found by meaning over the API and in graphs, and survive a killed server", async () => {
  const embeddings = await startEmbeddings();
  const app = resolve(import.meta.dirname, "apps/store");
  const env = { OPENAI_BASE_URL: embeddings.url, OPENAI_API_KEY: "sk-secret" };
  const before = await startServer({ app, env });
  const url = `${before.url}/store/items`;
  const { store } = new Client({ apiUrl: before.url, apiKey: null });
  await store.putItem(["notes"], "one", { text: "aaab" });
  await store.putItem(["notes"], "two", { text: "bbb" });
  await store.putItem(["notes"], "off", { text: "aaa" }, { index: false });
  expect(embeddings.requests[0]).toEqual({
    key: "Bearer sk-secret",
    body: expect.objectContaining({ model: "tiny", input: ["aaab"] }),
  });

  const found = await store.searchItems(["notes"], { query: "b" });
  expect(found.items.map(({ key, score }) => [key, score])).toEqual([
    ["two", 1],
    ["one", expect.closeTo(0.316, 3)],
    ["off", null],
  ]);

  const refused = await raw(url, {
    method: "PUT",
    body: JSON.stringify({ namespace: ["notes"], key: "f", value: { text: "fail" } }),
  });
  expect([refused.status, refused.text]).toEqual([
    503,
    "The texts could not be embedded: The embeddings service answered with status 429",
  ]);
  expect(await store.getItem(["notes"], "f")).toBeNull();
  await before.crash();

  const after = await startServer({ app, env, home: before.home });
  const { runs } = new Client({ apiUrl: after.url, apiKey: null });
  const first = await runs.wait(null, "notes", { input: { text: "aa" } });
  expect(first).toMatchObject({
    found: {
      near: [
        ["one", expect.closeTo(0.949, 3)],
        ["two", 0],
      ],
      dates: true,
      in: [["notes"]],
    },
  });
  const second = await runs.wait(null, "notes", { input: { text: "a" } });
  expect(second).toMatchObject({
    found: {
      near: [
        ["aa", 1],
        ["one", expect.closeTo(0.949, 3)],
      ],
    },
  });
  const failed = await raw(`${after.url}/runs/wait`, {
    body: JSON.stringify({ assistant_id: "notes", input: { text: "fail" } }),
  });
  expect(failed.text).toContain("The texts could not be embedded");
  expect(failed.text).not.toContain("sk-secret");
  await after.stop();
  embeddings.close();
});
