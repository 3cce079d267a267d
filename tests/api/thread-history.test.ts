import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

const server = useServer();

test("members of a history that are selected are those of the whole one, with and without its values", async () => {
  const client = new Client({ apiUrl: server.url, apiKey: null });
  const { thread_id } = await client.threads.create();
  for (const content of ["one", "two"])
    await client.runs.wait(thread_id, "echo", { input: { messages: [{ type: "human", content }] } });
  const whole = await client.threads.getHistory<{ messages?: { id: string }[] }>(thread_id, { limit: 100 });
  expect(whole.length).toBe(6);
  const history = async (body: object): Promise<unknown> => {
    const response = await fetch(`${server.url}/threads/${thread_id}/history`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return await response.json();
  };
  const outline = whole.map(({ checkpoint, parent_checkpoint, metadata }) => ({
    checkpoint,
    parent_checkpoint: parent_checkpoint ?? null,
    metadata,
  }));
  expect(await history({ limit: 100, select: ["checkpoint", "parent_checkpoint", "metadata"] })).toEqual(outline);
  expect(await history({ limit: 2, before: whole[1]?.checkpoint, select: ["metadata"] })).toEqual(
    outline.slice(2, 4).map(({ metadata }) => ({ metadata })),
  );
  expect(await history({ limit: 100, select: ["checkpoint", "values.messages[].id"] })).toEqual(
    whole.map(({ checkpoint, values }) => ({
      checkpoint,
      values: values.messages ? { messages: values.messages.map(({ id }) => ({ id })) } : {},
    })),
  );
  expect(await history({ limit: 100, select: ["metadata"], metadata: { source: "input" } })).toEqual(
    outline.flatMap(({ metadata }) => (metadata?.source === "input" ? [{ metadata }] : [])),
  );
});
