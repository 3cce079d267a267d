/** Deploys from the address of a web page and from a path of this machine, by the API and by the command line. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import type { PreflightAnswer } from "../../lib/protocol/preflight.ts";
import { call, untilBuilt } from "../support/control.ts";
import { git, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";
import { BASE } from "./broken-sources.ts";

const COMMAND = resolve(import.meta.dirname, "../../lib/cli/graphlib.sh");
const folder = mkdtempSync(join(tmpdir(), "graphlib-pages-"));
const repositories = join(folder, "repositories");
const bare = join(folder, "bare.git");
let host: GitServer;
const server = useServer({ own: true });
/** The source that the address of the page stands for. */
const settled = () => ({ type: "git", url: `${host.origin}/acme/bot`, ref: "release/1", folder: "apps/chat" });
const page = () => `${host.origin}/acme/bot/tree/release/1/apps/chat`;

beforeAll(async () => {
  const bot = join(repositories, "acme/bot");
  const files = Object.fromEntries(Object.entries(BASE).map(([name, text]) => [`apps/chat/${name}`, text]));
  makeRepository(bot, { "README.md": "x", ...files });
  git(bot, "branch", "release/1");
  git(folder, "clone", "--quiet", "--bare", bot, bare);
  host = await serveGit(repositories);
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const graphlib = async (...args: string[]) =>
  await promisify(execFile)(COMMAND, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: "test", GRAPHLIB_URL: server.url },
  });

describe("the address of a folder's page", () => {
  test("is checked as repository, ref and folder", async () => {
    const { json } = await call<PreflightAnswer>(server, "POST", "/preflight", {
      source: { type: "git", url: page() },
    });
    expect(json).toMatchObject({ ok: true, source: settled(), graphs: [{ graph: "agent" }] });
  });

  test("is stored as that, so that a push to the branch is recognised", async () => {
    const body = { name: "pasted", source: { type: "git", url: page() } };
    const made = await call<DeploymentRecord>(server, "POST", "/deployments", body);
    expect(made).toMatchObject({ status: 201, json: { source: settled() } });
    expect(await untilBuilt(server, "pasted")).toMatchObject({ state: "live", source: settled() });
    const other = { source: { type: "git", url: `${host.origin}/acme/bot/tree/main/apps/chat` } };
    const changed = await call<DeploymentRecord>(server, "PATCH", "/deployments/pasted", other);
    expect(changed.json.source).toEqual({ ...settled(), ref: "main" });
  });

  test("of a repository that cannot be read is split after the first part, and the build fails with the reason", async () => {
    const body = { name: "nowhere", source: { type: "git", url: `${host.origin}/acme/none/tree/a/b` } };
    const made = await call<DeploymentRecord>(server, "POST", "/deployments", body);
    expect(made.json.source).toMatchObject({ url: `${host.origin}/acme/none`, ref: "a", folder: "b" });
    expect(await untilBuilt(server, "nowhere")).toMatchObject({ state: "source_failed" });
  });

  test("is deployed by the command line under its folder's name, and again under the same", async () => {
    const { stdout } = await graphlib("deploy", page(), "--follow");
    expect(stdout).toContain(`/agents/chat`);
    await graphlib("deploy", page());
    const { json } = await call<DeploymentRecord>(server, "GET", "/deployments/chat");
    expect(json).toMatchObject({ source: settled(), newest: { number: 2 } });
  });
});

describe("a bare repository of this machine", () => {
  const source = () => ({ type: "git", url: `file://${bare}`, ref: "release/1", folder: "apps/chat" });

  test.each([
    ["by its path", () => bare],
    ["by its address", () => `file://${bare}`],
  ])("is deployed %s", async (how, url) => {
    const name = how.replaceAll(" ", "-");
    await call(server, "POST", "/deployments", { name, source: { ...source(), url: url() } });
    expect(await untilBuilt(server, name)).toMatchObject({ state: "live", source: source() });
  });

  test("is deployed by the command line, by a relative path", async () => {
    const { stdout } = await graphlib(
      "deploy",
      "./bare.git",
      "--ref",
      "release/1",
      "--folder",
      "apps/chat",
      "--name",
      "own",
      "--follow",
    );
    expect(stdout).toContain("/agents/own");
    expect((await call<DeploymentRecord>(server, "GET", "/deployments/own")).json.source).toEqual(source());
  });

  test("is refused where local sources are", async () => {
    const closed = await startServer({ env: { ALLOW_LOCAL_SOURCES: "0" } });
    for (const path of ["/preflight", "/deployments"]) {
      const response = await call(closed, "POST", path, { name: "x", source: source() });
      expect(response).toMatchObject({
        status: 403,
        text: expect.stringContaining("can't be deployed from elsewhere"),
      });
    }
    await closed.stop();
  });
});
