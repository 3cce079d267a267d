import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, expect, test } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import { call, untilState } from "../support/control.ts";
import { commit, makeRepository, serveGit } from "../support/git-server.ts";
import { useServer } from "../support/use-server.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-rollback-"));
const server = useServer({ own: true });
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});
const graph = (nodes: string, keys: string) => `
import { Annotation, END, interrupt, START, StateGraph } from "@langchain/langgraph";
const state = Annotation.Root({ text: Annotation<string>, ${keys} });
export const graph = new StateGraph(state)${nodes}.compile();
`;
const ask = `.addNode("ask", () => ({ text: "asked" })).addEdge(START, "ask")`;
const review = `.addNode("review", () => ({ text: String(interrupt("good?")) })).addEdge("ask", "review").addEdge("review", END)`;

test("a rollback to code without the nodes and keys of threads is refused with their names, unless forced; then auto_deploy is off", async () => {
  const repository = join(folder, "shapes", "bot");
  const config = JSON.stringify({ graphs: { agent: "./agent.ts:graph" } });
  makeRepository(repository, { "graphlib.json": config, "agent.ts": graph(`${ask}.addEdge("ask", END)`, "") });
  const git = await serveGit(join(folder, "shapes"));
  try {
    const url = `${git.origin}/bot/.git`;
    await call(server, "POST", "/deployments", { name: "shapes", source: { type: "git", url } });
    await untilState(server, "shapes", ["live"]);
    commit(repository, { "agent.ts": graph(`${ask}${review}`, "notes: Annotation<string>") }, "Review it");
    await call(server, "POST", "/deployments/shapes/revisions", {});
    expect(await untilState(server, "shapes", ["live"])).toMatchObject({ number: 2 });

    const changes = await call(server, "GET", "/deployments/shapes/revisions/2/changes");
    expect(changes.json).toMatchObject({
      since: 1,
      commit: { from: { message: "first" }, to: { message: "Review it" } },
      source: false,
      config: { added: [], removed: [], changed: [] },
      variables: { added: [], removed: [], changed: [] },
      packages: false,
    });
    expect((await call(server, "GET", "/deployments/shapes/revisions/1/changes")).json).toBe(null);

    // A revision that failed before its packages were read does not report changed packages.
    commit(repository, { "agent.ts": "export const graph = (;" }, "Break it");
    await call(server, "POST", "/deployments/shapes/revisions", {});
    expect(await untilState(server, "shapes", ["build_failed"])).toMatchObject({ number: 3 });
    expect((await call(server, "GET", "/deployments/shapes/revisions/3/changes")).json).toMatchObject({
      packages: null,
    });

    const client = new Client({ apiUrl: `${server.url}/agents/shapes` });
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "agent", { input: { text: "x", notes: "kept" } });
    const refused = await call(server, "POST", "/deployments/shapes/rollback", { revision: 1 });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('1 thread of "agent" wait, and it has no node "review"');
    expect(refused.text).toContain('state key "notes" of 1 thread of "agent"');
    expect((await call<DeploymentRecord>(server, "GET", "/deployments/shapes")).json).toMatchObject({ live: 2 });

    expect((await call(server, "POST", "/deployments/shapes/hook", {})).status).toBe(201);
    expect((await call(server, "POST", "/deployments/shapes/rollback", { revision: 1, force: true })).status).toBe(201);
    expect(await untilState(server, "shapes", ["live"])).toMatchObject({ number: 4, build_of: 1 });
    const after = await call<DeploymentRecord>(server, "GET", "/deployments/shapes");
    expect(after.json.settings.auto_deploy).toBe(false);
    expect((await call(server, "GET", "/deployments/shapes/revisions/4/log?after=-1")).text).toContain(
      "Pushes do not deploy",
    );
    // Without a hook there is no push to pause.
    expect((await call(server, "DELETE", "/deployments/shapes/hook")).status).toBe(204);
    await call(server, "PATCH", "/deployments/shapes", { settings: { auto_deploy: true } });
    // Revision 2 has everything that revision 1 had, so nothing is lost.
    expect((await call(server, "POST", "/deployments/shapes/rollback", { revision: 2 })).status).toBe(201);
    expect(await untilState(server, "shapes", ["live"])).toMatchObject({ number: 5, build_of: 2 });
    const log = await call(server, "GET", "/deployments/shapes/revisions/5/log?after=-1");
    expect(log.text).toContain("Live after");
    expect(log.text).not.toContain("Pushes do not deploy");
    expect((await client.threads.getState(thread_id)).values).toMatchObject({ notes: "kept" });
  } finally {
    await git.close();
  }
}, 120_000);
