import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import type { LogLine, Revision } from "../../lib/protocol/revisions.ts";
import { call, untilState } from "../support/control.ts";
import { commit, makeRepository, serveGit } from "../support/git-server.ts";
import { useServer } from "../support/use-server.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-control-"));
const app = join(folder, "app");
const server = useServer({ own: true });

beforeAll(() => {
  cpSync(join(import.meta.dirname, "apps", "one"), app, { recursive: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const source = { type: "folder", path: app, in_place: true };

describe("a deployment", () => {
  test("is created, goes live, serves at its own address, and is deleted with its name", async () => {
    const made = await call<DeploymentRecord>(server, "POST", "/deployments", {
      name: "speaker",
      source,
      environment: { variables: { GREETING: "hello" }, env_file: "FROM_FILE='yes'\n", plain: ["GREETING"] },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: "speaker", live: null, api_url: `${server.url}/agents/speaker` });
    const live = await untilState(server, "speaker", ["live"]);
    expect(live.steps.map(({ step }) => step)).toEqual([
      "cloning",
      "validating",
      "installing",
      "building",
      "starting",
      "checking",
    ]);
    expect(live.steps.every(({ ended_at }) => ended_at !== null)).toBe(true);
    const client = new Client({ apiUrl: made.json.api_url });
    const assistants = await client.assistants.search();
    expect(assistants.length).toBeGreaterThan(0);
    const log = await call<LogLine[]>(server, "GET", "/deployments/speaker/revisions/1/log?after=-1");
    expect(log.json.map((line) => line.id)).toEqual(log.json.map((_, index) => index));
    expect(log.json.at(-1)?.text).toMatch(/^Live after/);
    const variables = await call(server, "GET", "/deployments/speaker/environment");
    expect(variables.json).toMatchObject([
      { name: "FROM_FILE", value: null, secret: true },
      { name: "GREETING", value: "hello", secret: false },
    ]);

    expect((await call(server, "DELETE", "/deployments/speaker")).text).toContain("confirm=speaker");
    expect((await call(server, "DELETE", "/deployments/speaker?confirm=speaker")).status).toBe(204);
    expect((await call(server, "GET", "/deployments/speaker")).status).toBe(404);
    expect((await fetch(`${server.url}/agents/speaker/ok`)).status).toBe(404);
  });

  test("with a new environment has a new revision, and keeps its threads", async () => {
    await call(server, "POST", "/deployments", { name: "threads", source });
    await untilState(server, "threads", ["live"]);
    const client = new Client({ apiUrl: `${server.url}/agents/threads` });
    const thread = await client.threads.create({ metadata: { kept: true } });
    await call(server, "PATCH", "/deployments/threads/environment", { variables: { A: "1" } });
    const second = await untilState(server, "threads", ["live"]);
    expect(second).toMatchObject({ number: 2, trigger: "environment" });
    expect((await client.threads.get(thread.thread_id)).metadata).toEqual({ kept: true });
    const revisions = await call<Revision[]>(server, "GET", "/deployments/threads/revisions");
    expect(revisions.json.map(({ state }) => state)).toEqual(["live", "replaced"]);
  });

  test("that is stopped answers 503, and serves again once it is started", async () => {
    await call(server, "POST", "/deployments", { name: "resting", source });
    await untilState(server, "resting", ["live"]);
    expect((await call(server, "POST", "/deployments/resting/stop", {})).json).toMatchObject({ status: "stopped" });
    const refused = await fetch(`${server.url}/agents/resting/ok`);
    expect(refused.status).toBe(503);
    expect((await call(server, "POST", "/deployments/resting/start", {})).status).toBe(200);
    const status = async (): Promise<number> => (await fetch(`${server.url}/agents/resting/ok`)).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
    await call(server, "POST", "/deployments/resting/stop", {});
    await call(server, "POST", "/deployments/resting/revisions", {});
    await untilState(server, "resting", ["live"]);
    const shown = async (): Promise<string> =>
      (await call<DeploymentRecord>(server, "GET", "/deployments/resting")).json.status;
    await expect.poll(shown, { timeout: 60_000 }).toBe("ready");
    expect(await status()).toBe(200);
  });

  test("that is stopped during a build cancels the build", async () => {
    makeRepository(join(folder, "held", "late"), { "graphlib.json": "{}" });
    const git = await serveGit(join(folder, "held"));
    try {
      const requested = Promise.withResolvers<void>();
      git.before = () => {
        requested.resolve();
        return true;
      };
      await call(server, "POST", "/deployments", {
        name: "late",
        source: { type: "git", url: `${git.origin}/late/.git` },
      });
      await requested.promise;
      await call(server, "POST", "/deployments/late/revisions", {});
      expect((await call(server, "POST", "/deployments/late/stop", {})).status).toBe(200);
      const { json } = await call<Revision[]>(server, "GET", "/deployments/late/revisions");
      expect(json.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
      expect((await call<DeploymentRecord>(server, "GET", "/deployments/late")).json).toMatchObject({
        status: "stopped",
        live: null,
      });
    } finally {
      await git.close();
    }
  });

  test("that is the server's own, or served in place, refuses delete and rollback with a reason", async () => {
    const deleted = await call(server, "DELETE", "/deployments/default?confirm=default");
    expect(deleted).toMatchObject({
      status: 409,
      text: expect.stringContaining("the server's own: it can be stopped"),
    });
    const back = await call(server, "POST", "/deployments/default/rollback", { revision: 1 });
    expect(back).toMatchObject({ status: 409, text: expect.stringContaining("served from the folder itself") });
    expect((await call(server, "POST", "/deployments/default/stop", {})).json).toMatchObject({ status: "stopped" });
    expect((await fetch(`${server.url}/ok`)).status).toBe(503);
    expect((await call(server, "POST", "/deployments/default/start", {})).status).toBe(200);
    const status = async (): Promise<number> => (await fetch(`${server.url}/ok`)).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(200);
  });

  test("with an invalid configuration fails with the reason, and the earlier revision still serves", async () => {
    const broken = join(folder, "broken");
    cpSync(app, broken, { recursive: true });
    await call(server, "POST", "/deployments", { name: "breaking", source: { ...source, path: broken } });
    await untilState(server, "breaking", ["live"]);
    writeFileSync(join(broken, "graphlib.json"), '{"graphs": ');
    await call(server, "POST", "/deployments/breaking/revisions", {});
    const failed = await untilState(server, "breaking", ["config_failed"]);
    expect(failed.problem).toMatchObject({ step: "validating" });
    expect(failed.problem?.message).toContain("graphlib.json");
    const shown = await call<DeploymentRecord>(server, "GET", "/deployments/breaking");
    expect(shown.json).toMatchObject({ live: 1, status: "ready" });
    expect((await fetch(`${server.url}/agents/breaking/ok`)).status).toBe(200);
  });
});

describe("a repository", () => {
  const graph = (reply: string) => `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
const greeting: string = ${JSON.stringify(reply)};
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage(greeting + (process.env.MARK ?? ""))] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`;
  const config = JSON.stringify({ graphs: { agent: "./src/agent.ts:graph" } });

  async function replyOf(name: string): Promise<string> {
    const client = new Client({ apiUrl: `${server.url}/agents/${name}` });
    const values = (await client.runs.wait(null, "agent", { input: { messages: [] } })) as {
      messages: { content: string }[];
    };
    return values.messages.at(-1)?.content ?? "";
  }

  test("is deployed, deployed again, and rolled back, while it serves all the time", async () => {
    const repository = join(folder, "repositories", "bot");
    const sha = makeRepository(repository, { "graphlib.json": config, "src/agent.ts": graph("one") });
    const git = await serveGit(join(folder, "repositories"));
    try {
      const url = `${git.origin}/bot/.git`;
      const made = await call(server, "POST", "/deployments", { name: "bot", source: { type: "git", url } });
      expect(made.status).toBe(201);
      const first = await untilState(server, "bot", ["live"]);
      expect(first.commit).toMatchObject({ sha, message: "first", author: "Ada" });
      expect(first.graphs).toEqual(["agent"]);
      expect(await replyOf("bot")).toBe("one");

      let requests = 0;
      let serving = true;
      const load = (async () => {
        for (; serving; requests++) expect(await replyOf("bot")).toMatch(/^(one|two)!?$/);
      })();
      commit(repository, { "src/agent.ts": graph("two") }, "second");
      await call(server, "POST", "/deployments/bot/revisions", {});
      expect(await untilState(server, "bot", ["live"])).toMatchObject({ number: 2, trigger: "manual" });
      expect(await replyOf("bot")).toBe("two");

      const back = await call<Revision>(server, "POST", "/deployments/bot/rollback", { revision: 1 });
      expect(back.json).toMatchObject({ number: 3, trigger: "rollback", build_of: 1 });
      const third = await untilState(server, "bot", ["live"]);
      expect(third.steps.map(({ step }) => step)).toEqual(["starting", "checking"]);
      expect(third.commit?.sha).toBe(sha);
      expect(await replyOf("bot")).toBe("one");

      await call(server, "PATCH", "/deployments/bot/environment", { variables: { MARK: "!" } });
      expect(await untilState(server, "bot", ["live"])).toMatchObject({
        number: 4,
        trigger: "environment",
        build_of: 1,
      });
      expect(await replyOf("bot")).toBe("one!");
      serving = false;
      await load;
      expect(requests).toBeGreaterThan(3);

      commit(repository, { "src/agent.ts": graph("three").replace("export const graph", "export const app") }, "third");
      await call(server, "POST", "/deployments/bot/revisions", {});
      const failed = await untilState(server, "bot", ["config_failed"]);
      expect(failed.problem).toMatchObject({ step: "validating", file: "graphlib.json" });
      expect(failed.problem?.message).toContain('no export "graph"');
      commit(repository, { "src/agent.ts": `throw new Error("no database");\n${graph("four")}` }, "fourth");
      await call(server, "POST", "/deployments/bot/revisions", {});
      expect((await untilState(server, "bot", ["health_failed"])).problem?.message).toContain("no database");
      expect(await replyOf("bot")).toBe("one!");
    } finally {
      await git.close();
    }
  }, 120_000);
});

describe("the control plane", () => {
  test("refuses a name that is taken, an invalid name, and an invalid source", async () => {
    const body = { name: "default", source };
    expect(await call(server, "POST", "/deployments", body)).toMatchObject({ status: 409 });
    for (const name of ["", "Upper", "-a", "a_b", "new", "x".repeat(41)]) {
      expect((await call(server, "POST", "/deployments", { name, source })).status).toBe(422);
    }
    for (const url of [
      "git://host/x",
      "file://elsewhere/x",
      "ext::sh -c id",
      "https://user:pass@host/x",
      "-oProxyCommand=x",
    ]) {
      expect((await call(server, "POST", "/deployments", { name: "x", source: { type: "git", url } })).status).toBe(
        422,
      );
    }
    expect((await call(server, "GET", "/deployments/none")).status).toBe(404);
    expect((await call(server, "GET", "/deployments/default/revisions/99")).status).toBe(404);
    expect((await call(server, "POST", "/deployments/default/rollback", { revision: 99 })).status).toBe(404);
    expect((await call(server, "DELETE", "/deployments/default?confirm=default")).status).toBe(409);
  });

  test("decodes a name in the path once, as a deployment's API does, and refuses one that cannot be decoded", async () => {
    expect(await call(server, "GET", "/deployments/%64efault")).toMatchObject({ json: { name: "default" } });
    expect(await call(server, "GET", "/deployments/%2564efault")).toMatchObject({ status: 404 });
    expect(await call(server, "GET", "/deployments/default%")).toMatchObject({ status: 400 });
    const statusOf = async (path: string): Promise<number> => (await fetch(`${server.url}/agents${path}`)).status;
    expect(await statusOf("/%64efault/ok")).toBe(200);
    expect(await statusOf("/%2564efault/ok")).toBe(404);
    expect(await statusOf("/default%/ok")).toBe(400);
  });

  test("is closed to pages of other origins, to forms, and to a deployment's own origin", async () => {
    const body = { name: "evil", source };
    const refused = [
      await call(server, "POST", "/deployments", body, { origin: "https://evil.example" }),
      await call(server, "POST", "/deployments", body, { "sec-fetch-site": "cross-site" }),
      await call(server, "POST", "/deployments", body, { "content-type": "text/plain" }),
      await call(server, "GET", "/deployments", undefined, { origin: "http://speaker.agents.localhost" }),
    ];
    expect(refused.map((one) => one.status)).toEqual([403, 403, 403, 403]);
    expect((await call(server, "GET", "/deployments/evil")).status).toBe(404);
  });
});
