import { afterEach, beforeAll, expect, test } from "vitest";
import { callAgent } from "../../lib/client/a2a.ts";
import { readCard } from "../../lib/client/a2a-card.ts";
import { joinRun } from "../../lib/client/follow-run.ts";
import { threadApi } from "../../lib/client/threads.ts";
import { stubBrowser, type StubServer, startStubServer } from "./stub-server.ts";

let server: StubServer | undefined;
beforeAll(stubBrowser);
afterEach(() => server?.stop());

const signal = new AbortController().signal;
const calls: [string, (base: string) => Promise<unknown>][] = [
  ["a list of threads", (base) => threadApi(base).search(1, 0)],
  ["a thread that is deleted", (base) => threadApi(base).remove("t")],
  [
    "a run that is joined",
    (base) => joinRun(base, { thread: "t", run: "r" }, -1, { signal, onEvent: () => undefined }),
  ],
  ["an agent", (base) => callAgent(base, { headers: {}, body: {} }, { signal, onFrame: () => undefined })],
  ["a card", (base) => readCard(base, base)],
];

test.each(calls)("a redirect of %s leads nowhere", async (_, call) => {
  server = await startStubServer(({ response }) => response.writeHead(307, { location: "/elsewhere" }).end());
  await call(server.base).catch(() => undefined);
  expect(server.requests.length).toBeGreaterThan(0);
  expect(server.requests.map(({ url }) => url)).not.toContain("/elsewhere");
});

test("an id that an application has made up leads to no other path", async () => {
  server = await startStubServer(({ response }) => response.end("{}"));
  const api = threadApi(`${server.base}/agents/evil`);
  const away = "../../../../../api/deployments/victim/stop?";
  await api.cancel("t", away);
  await api.state("t", away);
  await joinRun(`${server.base}/agents/evil`, { thread: away, run: away }, -1, { signal, onEvent: () => undefined });
  expect(server.requests).toHaveLength(3);
  for (const { url } of server.requests) expect(url).toMatch(/^\/agents\/evil\/threads\//);
});
