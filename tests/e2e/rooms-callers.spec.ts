/** Uses the rooms of an application with authentication, by custom headers that are entered in the console. */
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, open, test, withServer } from "./fixtures.ts";
import { question, row, rows } from "./rooms.ts";
import { details, graph, isDone, send, steps, tab, threadOf } from "./studio-page.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({ app: join(import.meta.dirname, "apps/guarded") }));
const room = (path: string): string => `${server().url}/deployments/default/${path}`;
const heading = (page: Page) => page.getByRole("heading", { name: "This application requires authentication" });

async function as<T>(user: string, path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${user}` };
  const answer = await fetch(server().url + path, { method: "POST", headers, body: JSON.stringify(body) });
  // The answers are those that docs/api describes.
  return (await answer.json()) as T;
}

/** Makes a thread of a user, with a run. Returns both ids. */
async function ask(user: string, text: string): Promise<{ thread: string; run: string }> {
  const { thread_id: thread } = await as<{ thread_id: string }>(user, "/threads", {});
  const asked = { assistant_id: "greet", input: question(text), stream_resumable: true };
  await as(user, `/threads/${thread}/runs/wait`, asked);
  const headers = { authorization: `Bearer ${user}` };
  const runs = await fetch(`${server().url}/threads/${thread}/runs`, { headers });
  const [run] = (await runs.json()) as { run_id: string }[];
  return { thread, run: run?.run_id ?? "" };
}

/** Opens a page that asks who calls, and enters the headers of a user. */
async function enterAs(page: Page, user: string, path: string): Promise<void> {
  await open(page, room(path));
  await expect(heading(page)).toBeVisible();
  await page.getByLabel("Headers to send").fill(`Authorization: Bearer ${user}`);
  await page.getByRole("button", { name: "Use these headers" }).click();
  await expect(heading(page)).toBeHidden();
}

test.describe("with runs of others", () => {
  // The API answers as if their runs did not exist.
  test.use({ expected: [/status of 404 .*\/runs\//] });

  test("threads and runs are those of the caller, also after a reload and on their own pages", async ({ page }) => {
    const own = await ask("ada", "Of Ada");
    const foreign = await ask("bob", "Of Bob");
    await enterAs(page, "ada", "threads");
    await expect(row(page, "Of Ada")).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await page.reload();
    await expect(row(page, "Of Ada")).toBeVisible();
    await expectAccessible(page);

    await open(page, room(`threads/${own.thread}?tab=messages`));
    await expect(page.getByRole("list", { name: "Messages" })).toContainText("Hello ada, a user");
    await open(page, room(`threads/${foreign.thread}`));
    await expect(page.getByText("There is no such thread")).toBeVisible();

    await open(page, room("runs"));
    await expect(rows(page)).toHaveCount(1);
    await open(page, room(`runs/${own.run}?tab=output`));
    await expect(page.getByRole("region", { name: "Output" })).toContainText("Hello ada");
    await open(page, room(`runs/${foreign.run}`));
    await expect(page.getByText("There is no such run")).toBeVisible();
  });
});

test("the Studio runs as the caller, follows the run, and shows it again after a reload", async ({ page }) => {
  await enterAs(page, "ada", "studio/greet");
  await expect(graph(page).locator("[data-node]").first()).toBeVisible();
  await send(page, "Good morning");
  await isDone(page);
  await expect(steps(page).last()).toContainText("Hello ada, a user");
  await tab(page, "State").click();
  await expect(details(page)).toContainText("Hello ada, a user");
  const thread = await threadOf(page);
  await page.reload();
  await tab(page, "Run").click();
  await expect(steps(page).last()).toContainText("Hello ada, a user");
  const seen = await fetch(`${server().url}/threads/${thread}`, { headers: { authorization: "Bearer bob" } });
  expect(seen.status).toBe(404);
});

test("the store is read and written as the caller", async ({ page }) => {
  await enterAs(page, "ada", "store");
  await page.getByRole("button", { name: "Add item" }).click();
  await page.getByRole("textbox", { name: "Namespace" }).fill("notes");
  await page.getByRole("textbox", { name: "Key" }).fill("first");
  await page.getByRole("textbox", { name: "Value" }).fill('{"of": "ada"}');
  await page.getByRole("button", { name: "Add item" }).last().click();
  await expect(page.getByRole("tree", { name: "Value of first" })).toContainText("ada");
  await page.reload();
  await expect(page.getByRole("tree", { name: "Value of first" })).toContainText("ada");
  await expect(page.getByRole("tree", { name: "Namespaces" })).toContainText("notes");
});

test("assistants and crons are made as the caller", async ({ page }) => {
  await enterAs(page, "ada", "assistants");
  await page.getByRole("button", { name: "New assistant" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Of Ada");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Of Ada" })).toBeVisible();
  await open(page, room("crons"));
  await page.getByRole("button", { name: "New cron" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Schedule").fill("0 0 1 1 *");
  await dialog.getByRole("radio", { name: "JSON" }).check({ force: true });
  await dialog.getByRole("textbox", { name: "Input as JSON" }).fill(JSON.stringify(question("Hi")));
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(row(page, "0 0 1 1 *")).toBeVisible();
});

test.describe("with headers that the application refuses", () => {
  test.use({ expected: [/40[13]/] });

  for (const path of ["threads", "runs", "store", "studio/greet"]) {
    test(`${path} says so, and takes others`, async ({ page }) => {
      await enterAs(page, "ada", path);
      await page.getByRole("button", { name: "Calls as: Custom headers" }).click();
      await page.getByLabel("Headers to send").fill("Authorization: Basic x");
      await page.getByRole("button", { name: "Use these headers" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "Who are you?" }).first()).toBeVisible();
      await page.getByRole("button", { name: "Calls as: Custom headers" }).click();
      await page.getByLabel("Headers to send").fill("Authorization: Bearer ada");
      await page.getByRole("button", { name: "Use these headers" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "Who are you?" })).toHaveCount(0);
    });
  }
});
