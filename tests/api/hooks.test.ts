import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import type { Hook, PushAnswer } from "../../lib/protocol/push.ts";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { call as callControl } from "../support/control.ts";
import { commit, git, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "a key for the control plane";
const folder = mkdtempSync(join(tmpdir(), "graphlib-hooks-"));
const repository = join(folder, "acme", "bot");
const server = useServer({ own: true, env: { GRAPHLIB_API_KEY: KEY } });
let host: GitServer;
let url: string;
let hook: Hook;

beforeAll(async () => {
  makeRepository(repository, files("one"));
  host = await serveGit(folder);
  url = `${host.origin}/acme/bot/.git`;
  await call("POST", "/deployments", { name: "bot", source: { type: "git", url } });
  await built("bot", 1);
  hook = (await call<Hook>("POST", "/deployments/bot/hook")).json;
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

function files(reply: string) {
  const graph = `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage("${reply}")] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`;
  return { "graphlib.json": JSON.stringify({ graphs: { agent: "./graph.ts:graph" } }), "graph.ts": graph };
}

const call = <T>(method: string, path: string, body?: object) =>
  callControl<T>(server, method, path, body, { "x-api-key": KEY, "content-type": "application/json" });

/** Waits until a build is over and returns its revision. */
async function built(name: string, revision: number): Promise<Revision> {
  const path = `/deployments/${name}/revisions/${revision}`;
  const headers = { accept: "text/event-stream", "x-api-key": KEY };
  await (await fetch(`${server.url}/api${path}/log?after=-1`, { headers })).text();
  return (await call<Revision>("GET", path)).json;
}

interface HookResponse {
  status: number;
  text: string;
  answer: PushAnswer;
}

async function send(body: string, headers: Record<string, string>): Promise<HookResponse> {
  const response = await fetch(`${server.url}/api/hooks/git`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, answer: (response.status === 202 ? JSON.parse(text) : {}) as PushAnswer };
}

const hmac = (body: string, secret = hook.secret): string => createHmac("sha256", secret).update(body).digest("hex");

/** A payload as GitHub sends it. */
function payload(after: string, more: object = {}): string {
  const addresses = { clone_url: url, html_url: url.replace("/.git", ""), ssh_url: "git@127.0.0.1:other/name.git" };
  const repository = { full_name: "acme/bot", default_branch: "main", ...addresses };
  return JSON.stringify({
    ref: "refs/heads/main",
    before: "1".repeat(40),
    after,
    deleted: false,
    repository,
    ...more,
  });
}

function github(body: string, { event = "push", delivery = randomUUID(), secret = hook.secret } = {}) {
  const signature = `sha256=${hmac(body, secret)}`;
  return send(body, { "x-github-event": event, "x-github-delivery": delivery, "x-hub-signature-256": signature });
}

async function newest(name = "bot"): Promise<Revision> {
  const { json } = await call<Revision[]>("GET", `/deployments/${name}/revisions?limit=1`);
  if (!json[0]) throw new Error("no revision");
  return json[0];
}

describe("a push", () => {
  test("signed as by GitHub deploys its commit once, also when it is delivered again", async () => {
    const sha = commit(repository, files("two"), "second");
    const delivery = randomUUID();
    const body = payload(sha);
    const all = await Promise.all([1, 2, 3].map(() => github(body, { delivery })));
    expect(all.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(all.map(({ answer }) => answer.revision).toSorted()).toEqual([2, null, null]);
    expect(await built("bot", 2)).toMatchObject({ trigger: "push", state: "live", commit: { sha } });
    expect((await github(body, { delivery })).answer).toMatchObject({ revision: null });
    expect((await github(body)).answer).toMatchObject({ revision: null, message: expect.stringContaining("before") });
    expect((await newest()).number).toBe(2);
  });

  test("in the form of GitLab or Gitea deploys too", async () => {
    const project = { git_http_url: url, web_url: url, default_branch: "main" };
    const third = commit(repository, files("three"), "third");
    const gitlab = JSON.stringify({ object_kind: "push", ref: "refs/heads/main", after: third, project });
    const first = await send(gitlab, { "x-gitlab-event": "Push Hook", "x-gitlab-token": hook.secret });
    expect(first.answer.revision).toBe(3);
    expect(await built("bot", 3)).toMatchObject({ state: "live", commit: { sha: third } });
    const gitea = payload(commit(repository, files("four"), "fourth"));
    const second = await send(gitea, { "x-gitea-event": "push", "x-gitea-signature": hmac(gitea) });
    expect(second.answer.revision).toBe(4);
    expect(await built("bot", 4)).toMatchObject({ state: "live" });
  });

  test("is accepted from any page: only its signature counts", async () => {
    const body = payload("2".repeat(40), { ref: "refs/heads/other" });
    const signature = { "x-hub-signature-256": `sha256=${hmac(body)}`, "x-github-event": "push" };
    const from = { ...signature, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect((await send(body, from)).answer.message).toBe("bot is deployed from main, and this is other");
  });

  test("that must not be deployed is answered with the reason", async () => {
    const { number } = await newest();
    const sha = "3".repeat(40);
    const ping = await github(payload(sha), { event: "ping" });
    expect(ping).toMatchObject({ status: 202, answer: { deployment: "bot", revision: null } });
    expect((await github(payload(sha), { event: "issues" })).answer.message).toContain("only pushes deploy");
    expect((await github(payload("0".repeat(40), { deleted: true }))).answer.message).toBe("main was deleted");
    await call("PATCH", "/deployments/bot", { settings: { auto_deploy: false } });
    expect(await github(payload(sha))).toMatchObject({
      status: 202,
      answer: { revision: null, message: expect.stringContaining("auto_deploy of bot is off") },
    });
    await call("PATCH", "/deployments/bot", { settings: { auto_deploy: true } });
    expect((await newest()).number).toBe(number);
  });

  test("deploys only the branch that a deployment names", async () => {
    git(repository, "branch", "release");
    const source = { type: "git", url, ref: "release" };
    await call("POST", "/deployments", { name: "released", source });
    await built("released", 1);
    const { json } = await call<Hook>("POST", "/deployments/released/hook");
    const sha = "4".repeat(40);
    const main = await github(payload(sha), { secret: json.secret });
    expect(main.answer).toMatchObject({ deployment: "released", revision: null });
    const release = await github(payload(sha, { ref: "refs/heads/release" }), { secret: json.secret });
    expect(release.answer).toMatchObject({ deployment: "released", revision: 2 });
    await built("released", 2);
  });
});

describe("an unsigned request", () => {
  test("gets the same refusal, whether its repository is deployed or not", async () => {
    const { number } = await newest();
    const body = payload("5".repeat(40));
    const elsewhere = body.replaceAll("/acme/bot", "/acme/unknown");
    const good = hmac(body);
    const flipped = (good.startsWith("0") ? "1" : "0") + good.slice(1);
    const refused = [
      await send(body, { "x-github-event": "push" }),
      await send(body, { "x-github-event": "push", "x-hub-signature-256": `sha256=${flipped}` }),
      await send(`${body} `, { "x-github-event": "push", "x-hub-signature-256": `sha256=${good}` }),
      await send(body, { "x-github-event": "push", "x-hub-signature-256": good }),
      await send(body, { "x-github-event": "push", "x-api-key": KEY }),
      await send(body, { "x-gitlab-event": "Push Hook", "x-gitlab-token": "wrong" }),
      await github(body, { event: "ping", secret: "wrong" }),
      await github(elsewhere),
      await send("{}", {}),
    ];
    expect(new Set(refused.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(["401 The signature is missing or wrong"]),
    );
    expect((await newest()).number).toBe(number);
  });

  test("is not parsed; a signed one is refused when it is no JSON, or too large", async () => {
    const form = await send("payload=%7B%7D", { "content-type": "application/x-www-form-urlencoded" });
    expect(form).toMatchObject({ status: 422, text: expect.stringContaining("application/json") });
    expect((await send("{", {})).status).toBe(401);
    const signed = (body: string) => send(body, { "x-hub-signature-256": `sha256=${hmac(body)}` });
    expect((await signed("{")).status).toBe(400);
    expect((await signed('{"ref": 1}')).status).toBe(422);
    expect((await signed(JSON.stringify({ x: "x".repeat(5 * 1024 * 1024) }))).status).toBe(413);
  });
});

describe("the secret of a hook", () => {
  test("is shown once, replaced, and removed", async () => {
    expect(hook.url).toBe(`${server.url}/api/hooks/git`);
    const shown = await call<DeploymentRecord>("GET", "/deployments/bot");
    expect(shown.json.has_hook).toBe(true);
    expect(JSON.stringify(shown.json)).not.toContain(hook.secret);
    const old = hook;
    hook = (await call<Hook>("POST", "/deployments/bot/hook")).json;
    const body = payload("6".repeat(40), { ref: "refs/heads/other" });
    expect((await github(body, { secret: old.secret })).status).toBe(401);
    expect((await github(body)).status).toBe(202);
    expect((await call("DELETE", "/deployments/bot/hook")).status).toBe(204);
    expect((await github(body)).status).toBe(401);
    expect((await call<DeploymentRecord>("GET", "/deployments/bot")).json.has_hook).toBe(false);
  });

  test("exists only for deployments of repositories, and only for callers with the key", async () => {
    expect((await call("POST", "/deployments/default/hook")).status).toBe(409);
    expect((await call("POST", "/deployments/none/hook")).status).toBe(404);
    expect((await fetch(`${server.url}/api/deployments/bot/hook`, { method: "DELETE" })).status).toBe(401);
  });
});
