/** Tests the console for a deployment whose newest revision failed, and for one that was never live. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { call, untilBuilt, untilState } from "../support/control.ts";
import { branch, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { DESKTOP, expectAccessible, open, PHONE, test, withServer } from "./fixtures.ts";

const LONG = "a-name-as-long-as-names-of-deployments-a";
const CONFIG = JSON.stringify({ graphs: { agent: "./agent.mjs:graph" } });
const graph = (name: string): string => `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
export const ${name} = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage("Hello")] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`;
const folder = mkdtempSync(join(tmpdir(), "graphlib-failed-"));
const bot = join(folder, "bot");
let git: GitServer;
const server = withServer(() => ({}));
const at = (path = ""): string => `${server().url}/deployments/${LONG}${path}`;
const revise = async (body: object): Promise<void> => {
  expect((await call(server(), "POST", `/deployments/${LONG}/revisions`, body)).status).toBe(201);
};

test.describe.configure({ mode: "serial" });
test.use({ viewport: DESKTOP });
test.beforeAll(async () => {
  makeRepository(bot, { "graphlib.json": CONFIG, "agent.mjs": graph("graph") }, "Say hello");
  branch(bot, "broken", { "graphlib.json": CONFIG, "agent.mjs": graph("other") });
  const app = (name: string) => ({ [`${name}/graphlib.json`]: CONFIG, [`${name}/agent.mjs`]: graph("graph") });
  makeRepository(join(folder, "mono"), { ...app("apps/agent"), ...app("apps/other") }, "Two of them");
  git = await serveGit(folder);
  const url = `${git.origin}/bot/.git`;
  await call(server(), "POST", "/deployments", { name: LONG, source: { type: "git", url, ref: "main" } });
  await untilState(server(), LONG, ["live"]);
  await revise({});
  await untilState(server(), LONG, ["live"]);
  await revise({ ref: "broken" });
  await untilBuilt(server(), LONG);
});
test.afterAll(async () => {
  await git.close();
  rmSync(folder, { recursive: true, force: true });
});

const sidebar = (page: Page) => page.getByRole("group", { name: `Deployment ${LONG}` });

test("overview and sidebar say beside Ready which revision failed, why, and where its log is", async ({ page }) => {
  await open(page, at());
  const main = page.getByRole("main");
  await expect(main.getByText("Ready", { exact: true }).first()).toBeVisible();
  await expect(main.getByText("Revision 3 failed", { exact: true })).toBeVisible();
  await expect(main.getByText("Revision 3: Validate failed")).toBeVisible();
  await expect(main.getByText('Write "./agent.mjs:other".', { exact: true })).toBeVisible();
  await expect(sidebar(page).getByRole("button", { name: `${LONG}, Ready` })).toBeVisible();
  await expectAccessible(page);
  await sidebar(page).getByRole("link", { name: "Revision 3 failed" }).press("Enter");
  await expect(page).toHaveURL(at("/revisions/3"));
});

test("the source shown is that of the revision that serves, also after a restart of its code", async ({ page }) => {
  const shown = page.getByRole("main").getByText(/revision 2 ·/);
  await open(page, at());
  await expect(shown).toContainText("bot@main · ");
  await expect(shown).toContainText("“Say hello”");
  for (const verb of ["stop", "start"]) {
    expect((await call(server(), "POST", `/deployments/${LONG}/${verb}`, {})).status).toBe(200);
  }
  await expect(page.getByRole("main").getByText("Ready", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(shown).toContainText("bot@main · ");
  await open(page, server().url);
  await expect(page.getByRole("row", { name: new RegExp(LONG) })).toContainText("bot@main · ");
});

test("a long name leaves the sidebar as wide as it is, and the page on a phone too", async ({ page }) => {
  await open(page, at());
  const aside = await page.getByRole("complementary").first().boundingBox();
  for (const link of await sidebar(page).getByRole("link").all()) {
    const box = await link.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual((aside?.x ?? 0) + (aside?.width ?? 0));
  }
  await expect(sidebar(page).getByText("g o")).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  await expect(page.getByRole("button", { name: "Redeploy" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test("the dialog of a rollback says that pushes pause, where a push would deploy", async ({ page }) => {
  const dialog = page.getByRole("dialog", { name: "Roll back to revision 1?" });
  const openDialog = async (): Promise<void> => {
    await open(page, at("/revisions"));
    await page.getByRole("button", { name: "Roll back to revision 1" }).press("Enter");
    await expect(dialog).toContainText("Threads are kept.");
  };
  await openDialog();
  await expect(dialog).not.toContainText("Pushes");
  expect((await call(server(), "POST", `/deployments/${LONG}/hook`, {})).status).toBe(201);
  await openDialog();
  await expect(dialog).toContainText("Pushes are paused");
  await expectAccessible(page, "[role=dialog]");
  await open(page, at("/revisions/1"));
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(dialog).toContainText("Pushes are paused");
  const paused = { settings: { auto_deploy: false } };
  expect((await call(server(), "PATCH", `/deployments/${LONG}`, paused)).status).toBe(200);
  await openDialog();
  await expect(dialog).not.toContainText("Pushes");
});

test("the overview redeploys", async ({ page }) => {
  const url = `${git.origin}/bot/.git`;
  await call(server(), "PATCH", `/deployments/${LONG}`, { source: { type: "git", url, ref: "main" } });
  await open(page, at());
  await page.getByRole("button", { name: "Redeploy" }).press("Enter");
  await page.waitForURL(at("/revisions/4"));
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 60_000 });
  await open(page, at());
  await expect(sidebar(page)).not.toContainText("failed");
  await expect(page.getByText("Revision 3 failed")).toHaveCount(0);
});

test("a folder that is suggested is taken by its button, and the keyboard stays there", async ({ page }) => {
  await open(page, `${server().url}/deployments/new`);
  await page.getByLabel("Repository URL").fill(`${git.origin}/mono/.git`);
  await expect(page.getByText("There is no graphlib.json")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Use / })).toHaveText(["Use apps/agent", "Use apps/other"]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use apps/other" }).press("Enter");
  await expect(page.getByLabel("Root directory")).toHaveValue("apps/other");
  await expect(page.getByRole("region", { name: "Detected" }).locator(":focus")).toBeVisible();
  await expect(page.getByText("./agent.mjs:graph")).toBeVisible();

  await page.getByText("Folder on the server", { exact: true }).click();
  await page.getByLabel("Folder", { exact: true }).fill(join(folder, "mono"));
  await page.getByRole("button", { name: "Use apps/agent" }).press("Enter");
  await expect(page.getByLabel("Folder", { exact: true })).toHaveValue(join(folder, "mono", "apps/agent"));
  await expect(page.getByText("./agent.mjs:graph")).toBeVisible();
});

test("the list offers a chat only where something was live, and gives names the width they need", async ({ page }) => {
  const source = { type: "git", url: `${git.origin}/mono/.git` };
  await call(server(), "POST", "/deployments", { name: "never-live", source });
  await untilBuilt(server(), "never-live");
  await open(page, server().url);
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await expect(row("never-live")).toContainText("Failed");
  await expect(row("never-live").getByRole("link", { name: /^Chat/ })).toHaveCount(0);
  await expect(row(LONG).getByRole("link", { name: `Chat with ${LONG}` })).toBeVisible();
  for (const size of [DESKTOP, { width: 1024, height: 800 }, PHONE]) {
    await page.setViewportSize(size);
    await expectAccessible(page);
  }
  await page.setViewportSize(DESKTOP);
  const name = row(LONG).getByRole("link", { name: LONG, exact: true });
  expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
});
