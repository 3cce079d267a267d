import { expect } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BASE } from "../api/broken-sources.ts";
import { tarGz } from "../support/archives.ts";
import { call, untilBuilt } from "../support/control.ts";
import { git as inGit, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { DESKTOP, expectAccessible, open, PHONE, test, withServer } from "./fixtures.ts";

const COMMAND = resolve(import.meta.dirname, "../../lib/cli/graphlib.sh");
const folder = mkdtempSync(join(tmpdir(), "graphlib-sources-"));
const repositories = join(folder, "repositories");
let git: GitServer;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  const bot = join(repositories, "acme/bot");
  const files = Object.fromEntries(Object.entries(BASE).map(([name, text]) => [`apps/chat/${name}`, text]));
  makeRepository(bot, files, "Answer in one turn");
  inGit(bot, "branch", "release/1");
  git = await serveGit(repositories);
});
test.afterAll(async () => {
  await git.close();
  rmSync(folder, { recursive: true, force: true });
});
const server = withServer(() => ({}));

test("the address of a folder's page, as it was pasted, fills repository, ref and folder", async ({ page }) => {
  await open(page, `${server().url}/deployments/new`);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field("Repository URL").fill(`${git.origin}/acme/bot/tree/release/1/apps/chat`);
  await expect(field("Branch, tag or commit")).toHaveValue("release/1");
  await expect(field("Root directory")).toHaveValue("apps/chat");
  await expect(field("Repository URL")).toHaveValue(`${git.origin}/acme/bot`);
  await expect(page.getByText("Answer in one turn")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true }).last()).toHaveValue("chat");
  // Later edits are kept.
  await field("Branch, tag or commit").fill("main");
  await expect(
    page.getByText("No problems found.", { exact: false }).or(page.getByText("graphs get LangGraph", { exact: false })),
  ).toBeVisible();
  await expect(field("Branch, tag or commit")).toHaveValue("main");
});

/** A package script that prints progress like a compiler, and fails. */
const SCRIPT = `
for (let percent = 0; percent <= 100; percent += 20) console.log("Building thing: " + String(percent).padStart(3) + "%");
console.log("linking");
console.error("fatal: thing.h: no such header");
process.exit(3);
`;

test("a build's log has progress in one line, and its errors stand out", async ({ page }) => {
  const about = JSON.stringify({ name: "thing", version: "1.0.0", scripts: { postinstall: "node make.js" } });
  const thing = tarGz([
    { name: "package/package.json", body: about },
    { name: "package/make.js", body: SCRIPT },
  ]);
  const manifest = JSON.stringify({ name: "x", private: true, dependencies: { thing: "file:./vendor/thing.tgz" } });
  const entries = Object.entries({ ...BASE, "package.json": manifest }).map(([name, body]) => ({ name, body }));
  const archive = tarGz([...entries, { name: "vendor/thing.tgz", body: thing }]);
  const headers = { "content-type": "application/octet-stream" };
  const sent = await fetch(`${server().url}/api/uploads`, { method: "PUT", headers, body: new Uint8Array(archive) });
  const { upload_id } = (await sent.json()) as { upload_id: string };
  const settings = { install_scripts: true };
  await call(server(), "POST", "/deployments", { name: "built", source: { type: "upload", upload_id }, settings });
  expect(await untilBuilt(server(), "built")).toMatchObject({ state: "install_failed" });

  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await open(page, `${server().url}/deployments/built/logs?revision=1`);
    const lines = page.getByRole("region", { name: "Lines" });
    await expect(lines.getByText("Building thing:")).toHaveCount(1);
    await expect(lines.getByText("Building thing: 100%")).toBeVisible();
    await expect(lines.getByText("Error: fatal: thing.h: no such header")).toBeVisible();
    await expect(lines.getByText(/^Error: Install failed: The install script of "thing" failed/)).toBeVisible();
    await expectAccessible(page);
  }
  await page.getByLabel("Stream").selectOption("Errors");
  await expect(page.getByText("linking", { exact: true })).toHaveCount(0);
  await expect(page.getByText("fatal: thing.h", { exact: false })).toBeVisible();

  const env = { PATH: process.env.PATH, NODE_ENV: "test" as const, GRAPHLIB_URL: server().url };
  const printed = execFileSync(COMMAND, ["logs", "built", "--build", "1"], { encoding: "utf8", env });
  expect(printed.match(/Building thing:.*/g)).toEqual(["Building thing: 100%"]);
});
