/** Tests push notifications with the official A2A client for Python: configured, and delivered to a receiver. */
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "./overdue-crons.ts";
import { type Receiver, startReceiver, statesIn } from "./push-receiver.ts";
import { describeClients, type Thrown } from "./python-clients.ts";

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

interface Config {
  taskId: string;
  id: string;
  url: string;
}
/** The output of `python/a2a_pushes.py`. Only the client 1.x has lists and deletes. */
interface PushOutput {
  task: string;
  set: Config;
  got: Config;
  listed?: Config[];
  deleted?: null;
  left?: Config[];
  refused: Thrown;
  unknown: Thrown;
  of_another_agent: Thrown;
}

describeClients(({ protocol, named, run }) => {
  const key = crypto.randomUUID();
  const boxes = ["first", "second", "third"].map((name) => `${name}-${key}`) as [string, string, string];
  let output: PushOutput;
  let urls: string[];
  beforeAll(async () => {
    urls = boxes.map((box) => receiver.url(box));
    output = (await run("a2a_pushes", { server: server.url, key, receivers: urls })) as PushOutput;
  });

  test("sets a configuration and gets it again, without its secret", () => {
    const authentication = named ? { scheme: "Bearer" } : { schemes: ["Bearer"] };
    expect(output.set).toEqual({ taskId: output.task, id: "mine", url: urls[1], authentication });
    expect(output.got).toEqual(output.set);
  });

  test.runIf(named)("lists configurations, and deletes one", () => {
    expect(output.listed?.map(({ url }) => url)).toEqual(urls);
    expect(output.deleted).toBeNull();
    expect(output.left).toEqual(output.listed?.slice(0, 2));
  });

  test("gets errors for an address that is not allowed, and for unknown tasks", () => {
    const thrown = (type: string, code: number) => ({ type: named ? type : "A2AClientJSONRPCError", code });
    expect(output.refused).toMatchObject(thrown("InvalidParamsError", -32602));
    expect(output.unknown).toMatchObject(thrown("TaskNotFoundError", -32001));
    expect(output.of_another_agent).toMatchObject(thrown("TaskNotFoundError", -32001));
  });

  test("its receivers are notified of the end, each with its own credentials", async () => {
    await fetch(`${server.url}/store/items`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ namespace: ["gates"], key, value: {} }),
    });
    const shown = ["x-a2a-notification-token", "authorization"] as const;
    const secrets = ["token of the first", "Bearer secret"];
    for (const [index, box] of boxes.slice(0, 2).entries()) {
      const pushes = await waitFor(async () => {
        const all = await receiver.received(box, 1);
        return statesIn(all).at(-1) === "completed" ? all : undefined;
      });
      const rest = statesIn(pushes).filter((one) => one !== "working");
      expect(rest).toEqual(protocol === "1.0" ? ["artifact reply", "completed"] : ["completed"]);
      expect(pushes.map(({ headers }) => headers[shown[index] ?? ""])).toEqual(pushes.map(() => secrets[index]));
    }
  });
});
