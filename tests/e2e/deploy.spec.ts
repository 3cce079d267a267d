import { expect } from "@playwright/test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commit, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { expectAccessible, open, PHONE, test, withServer } from "./fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-deploy-"));
const repository = join(folder, "repositories", "support-bot");
const graph = (text: string, name = "graph") => `
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
const greeting: string = ${JSON.stringify(text)};
export const ${name} = new StateGraph(MessagesAnnotation)
  .addNode("say", () => {
    console.log("\\u001B[32masked\\u001B[39m with " + process.env.TONE);
    return { messages: [new AIMessage(greeting)] };
  })
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`;
const files = {
  "graphlib.json": JSON.stringify({ graphs: { agent: "./src/agent.ts:graph" } }, null, 2),
  "src/agent.ts": graph("Hello from revision one"),
  ".env.example": "TONE=\n",
};
let git: GitServer;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  makeRepository(repository, files, "Answer in one turn");
  git = await serveGit(join(folder, "repositories"));
});
test.afterAll(async () => {
  await git.close();
  rmSync(folder, { recursive: true, force: true });
});
const server = withServer(() => ({}));
const source = (): string => `${git.origin}/support-bot/.git`;
const bot = (path = ""): string => `${server().url}/deployments/support-bot${path}`;

test("a repository becomes a deployment with the keyboard alone, and its build is watched until it is live", async ({
  page,
}) => {
  await open(page, server().url);
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { name: "New deployment" })).toBeVisible();
  await page.getByLabel("Repository URL").focus();
  await page.keyboard.type(`${git.origin}/nothing-here/.git`);
  await expect(page.getByText("Check the address", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Deploy" })).toBeDisabled();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(source());
  await expect(page.getByText("Answer in one turn")).toBeVisible();
  await expect(page.getByText("./src/agent.ts:graph")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true }).last()).toHaveValue("support-bot");
  await expect(page.getByText(`${server().url}/agents/support-bot`)).toBeVisible();
  await page.getByLabel("Value of TONE").focus();
  await page.keyboard.type("kind");
  await expectAccessible(page);
  await page.keyboard.press("Enter");

  await page.waitForURL(bot("/revisions/1"));
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 60_000 });
  await expect(page).toHaveTitle(/^Live · support-bot 1/);
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps).toContainText(["Queued", "Fetch", "Validate", "Install", "Compile", "Start", "Check", "Live"]);
  await expect(steps.filter({ hasText: ": done" })).toHaveCount(8);
  await expect(page.getByText(/^Live after/)).toBeVisible();
  await expectAccessible(page);
  const before = await page.getByRole("region", { name: "Lines" }).innerText();
  await page.reload();
  await expect(page.getByText(/^Live after/)).toBeVisible();
  expect(await page.getByRole("region", { name: "Lines" }).innerText()).toBe(before);

  await page.getByRole("link", { name: "Open chat" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: /message/i }).fill("Good morning");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Hello from revision one")).toBeVisible();
});

test("what its code prints is in its log, in colour, as it comes, over the page's one connection", async ({ page }) => {
  const feeds: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/deployments/events")) feeds.push(request.url());
  });
  await open(page, bot("/logs"));
  await expect(page.getByText("asked", { exact: true })).toHaveCount(1);
  // The value of a variable is left out wherever it is printed.
  await expect(page.getByText("with [TONE]")).toBeVisible();
  expect(feeds).toHaveLength(1);
  const body = JSON.stringify({ assistant_id: "agent", input: { messages: [] } });
  const headers = { "content-type": "application/json" };
  await fetch(`${server().url}/agents/support-bot/runs/wait`, { method: "POST", headers, body });
  await expect(page.getByText("asked", { exact: true })).toHaveCount(2);
  await page.getByLabel("Filter lines").fill("nothing of the kind");
  await expect(page.getByText("No line matches.")).toBeVisible();
  await page.getByLabel("Filter lines").fill("");
  await page
    .getByRole("link", { name: /\d\d:\d\d:\d\d/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#L\d+$/);
  await expectAccessible(page);
  expect(feeds).toHaveLength(1);
});

test("a push that breaks it says which step, which line and what to write, while what was live serves", async ({
  page,
}) => {
  commit(repository, { "src/agent.ts": graph("Never said", "app") }, "Rename it");
  await open(page, bot("/revisions"));
  await page.getByRole("button", { name: "Redeploy" }).click();
  await page.waitForURL(bot("/revisions/2"));
  await expect(page.getByText("Validate failed", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("graphlib.json:3").first()).toBeVisible();
  await expect(page.getByText('Write "./src/agent.ts:app".', { exact: true })).toBeVisible();
  await expect(page.getByText("Revision 1 keeps serving")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectAccessible(page);
  await open(page, server().url);
  const row = page.getByRole("row", { name: /support-bot/ });
  await expect(row.getByText("Failed · 1 live").filter({ visible: true })).toHaveCount(1);
});

test("a fixed source goes live by a retry, and a rollback to the revision before takes a moment", async ({ page }) => {
  commit(repository, { "src/agent.ts": graph("Hello from revision three") }, "Name it as it was");
  await open(page, bot("/revisions/2"));
  await page.getByRole("button", { name: "Retry" }).click();
  await page.waitForURL(bot("/revisions/3"));
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 60_000 });
  await open(page, bot("/revisions"));
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expectAccessible(page, "[role=dialog]");
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await page.waitForURL(bot("/revisions/4"));
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("reuses the build of revision 1")).toBeVisible();
  await open(page, bot("/chat"));
  await page.getByRole("textbox", { name: /message/i }).fill("And now?");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Hello from revision one").last()).toBeVisible();
});

test("variables are set without being shown again, and are in force at once", async ({ page }) => {
  await open(page, bot("/settings"));
  await expect(page.getByText("TONE")).toBeVisible();
  await expect(page.getByText("kind", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Paste a .env" }).click();
  await page.getByLabel(".env", { exact: true }).fill('TONE="calm"\nMODEL=large');
  await expect(page.getByLabel("Value of MODEL")).toHaveValue("large");
  await page.getByRole("button", { name: "Save and restart" }).click();
  await expect(page.getByText("Saved. The worker restarts with them")).toBeVisible();
  await expectAccessible(page);
  await open(page, bot("/revisions/5"));
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("change of variables")).toBeVisible();
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes).toContainText("TONE changed");
  await expect(changes).toContainText("MODEL added");
  await changes.getByRole("combobox").selectOption("revision 3");
  await expect(changes).toContainText("Commit");
  await expectAccessible(page);
});

test("an empty size is refused before it is sent", async ({ page }) => {
  await open(page, bot("/settings"));
  const section = page.getByRole("region", { name: "Build and run" });
  await section.getByLabel("Memory, MB").fill("");
  await expect(section).toContainText("Enter a number above 0");
  await expect(section.getByRole("button", { name: "Save" })).toBeDisabled();
});

test("it gets a second process by its settings, and its page counts the processes that are ready", async ({ page }) => {
  await open(page, bot("/settings"));
  const section = page.getByRole("region", { name: "Build and run" });
  const processes = section.getByLabel("Worker processes");
  await expect(processes).toHaveValue("1");
  for (const wrong of ["0", "17", "1.5", ""]) {
    await processes.fill(wrong);
    await expect(section).toContainText("Enter a whole number from 1 to 16");
    await expect(section.getByRole("button", { name: "Save" })).toBeDisabled();
  }
  await processes.fill("2");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section).toContainText("Saved. It takes effect with the next revision.");
  await expectAccessible(page);
  await page.reload();
  await expect(processes).toHaveValue("2");
  await open(page, bot());
  await expect(page.getByText("Process id")).toBeVisible();
  await page.getByRole("button", { name: "Redeploy" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Live" })).toBeVisible({ timeout: 60_000 });
  await open(page, bot());
  await expect(page.getByText("2 of 2 ready")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("2 processes")).toBeVisible();
  await expect(page.getByText("Process id")).toHaveCount(0);
  await expectAccessible(page);
});

test("a webhook is made whose secret is shown once", async ({ page }) => {
  await open(page, bot("/settings"));
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect(page.getByText(`${server().url}/api/hooks/git`)).toBeVisible();
  await expect(page.getByText("Shown only once", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole("button", { name: "Create new secret" })).toBeVisible();
  await expect(page.getByText("Shown only once")).toHaveCount(0);
});

test("it is stopped, started, and deleted by its name, which is free again", async ({ page }) => {
  await open(page, bot("/settings"));
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  expect((await fetch(`${server().url}/agents/support-bot/ok`)).status).toBe(503);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("button", { name: "Delete permanently" })).toBeDisabled();
  await page.getByLabel("Type support-bot to confirm").fill("support-bot");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server().url}/`);
  await expect(page.getByText("support-bot")).toHaveCount(0);
  expect((await fetch(`${server().url}/agents/support-bot/ok`)).status).toBe(404);
});

test("an archive is sent and looked at, and one that is none is refused with the reason", async ({ page }) => {
  const file = join(folder, "notes.zip");
  writeFileSync(file, "no archive");
  await open(page, `${server().url}/deployments/new`);
  await page.getByText("Archive", { exact: true }).click();
  await page.getByLabel("Archive", { exact: true }).last().setInputFiles(file);
  await expect(page.getByText("notes.zip, 0 MB uploaded")).toBeVisible();
  await expect(page.getByText(/neither a zip nor a tar|not an archive|no archive/i)).toBeVisible();
});
