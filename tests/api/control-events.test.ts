import { describe, expect, test } from "vitest";
import { rawStream } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ own: true });

const startRun = () =>
  fetch(`${server.url}/threads/${crypto.randomUUID()}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      assistant_id: "echo",
      input: { messages: [{ role: "user", content: "hello" }] },
      if_not_exists: "create",
    }),
  });

describe("events of the console", () => {
  test("threads are reported at once, because a change before that was missed, and again after a run", async () => {
    const stream = await rawStream(`${server.url}/api/deployments/events?deployment=default&threads=true`);
    const reported = () => stream.events().filter(({ event }) => event === "threads").length;
    await stream.until(() => reported() === 1);
    expect((await startRun()).status).toBe(200);
    await stream.until(() => reported() >= 2);
    stream.leave();
  });
});
