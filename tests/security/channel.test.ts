import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, untilState } from "../support/control.ts";
import { startServer, type TestServer } from "../support/server.ts";

const hostile = join(import.meta.dirname, "apps", "channel");
const peaceful = join(import.meta.dirname, "..", "api", "apps", "one");

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ app: hostile });
  await call(server, "POST", "/deployments", { name: "neighbour", source: { type: "folder", path: peaceful } });
  await untilState(server, "neighbour", ["live"]);
}, 300_000);
afterAll(() => server.stop());

async function run(deployment: string, graph: string, input: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}/agents/${deployment}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ assistant_id: graph, input }),
  });
  return { status: response.status, text: await response.text() };
}

/** Opens the pages and calls another deployment. */
async function useOthers(): Promise<void> {
  const paths = ["/", "/deployments/default", "/deployments/neighbour", "/api/deployments", "/api/deployments/default"];
  const answers = await Promise.all(paths.map(async (path) => [path, (await fetch(server.url + path)).status]));
  expect(answers).toEqual(paths.map((path) => [path, 200]));
  expect((await run("neighbour", "only", {})).status).toBe(200);
}

/** Uses the others repeatedly during a run. Returns how often. */
async function useOthersWhile(something: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = something.finally(() => (isOver = true));
  let times = 0;
  do {
    await useOthers();
    times++;
  } while (!isOver);
  await over;
  return times;
}

async function ready(): Promise<void> {
  await expect
    .poll(async () => (await call<{ status: string }>(server, "GET", "/deployments/default")).json.status, {
      timeout: 60_000,
    })
    .toBe("ready");
}

test("harmless nonsense on the channel has no effect", async () => {
  const lines = [
    '{"type":"pong","id":7,"memory":"NaN"}',
    '{"type":"pong","id":7,"memory":1e308}',
    '{"type":"end","run":"nobody","token":1,"status":"success"}',
    '{"type":"event","run":"nobody","token":9,"event":"custom","data":1}',
    '{"type":"event","run":"RUN","token":99,"event":"custom","data":1}',
    '{"type":"described","id":99,"drawing":{"nodes":[],"edges":[]}}',
    '{"type":"event","run":"RUN","token":TOKEN,"event":"custom","data":{"a":1}garbage,"data":{}}',
    '{"type":"ask","id":5,"run":"__proto__","token":0,"ask":{"about":"store","operations":[{"__proto__":1}]}}',
  ];
  expect(await useOthersWhile(run("default", "scribbles", { lines }))).toBeGreaterThan(0);
  await ready();
});

test.each([
  ['{"type":"ready","graphs":null}', "ready: graphs"],
  ['{"type":"ask","id":1,"run":7,"token":0,"ask":{"about":"checkpoint","do":"get"}}', "ask: run"],
  ['{"type":"end","run":{"toString":1},"token":1,"status":"success"}', "end: run"],
])("%s ends only its own worker, and its page shows the reason", async (line, reason) => {
  await ready();
  const ended = run("default", "scribbles", { lines: [line] });
  expect(await useOthersWhile(ended)).toBeGreaterThan(0);
  expect((await ended).text).toContain(reason);
  await useOthers();
  const page = await (await fetch(`${server.url}/deployments/default`)).text();
  expect(page).toContain("it wrote something else than messages to its channel");
  expect(server.output()).not.toMatch(/unhandled/i);
});

test("other requests are served while a worker writes 14 MB of requests", async () => {
  await ready();
  let isOver = false;
  const flood = run("default", "asks", { bytes: 14_000_000 }).finally(() => (isOver = true));
  const others = useOthers();
  let answered = 0;
  while (!isOver) {
    expect((await fetch(`${server.url}/ok`)).status).toBe(200);
    answered++;
  }
  await others;
  expect(answered).toBeGreaterThan(3);
  expect((await flood).text).toContain('"bytes":14');
  expect(server.output()).not.toMatch(/unhandled/i);
});
