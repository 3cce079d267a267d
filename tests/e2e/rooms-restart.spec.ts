/** Restarts the server under the rooms: each says so, reconnects, is current afterwards, and keeps what was typed. */
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServer, type TestServer } from "../support/server.ts";
import { DESKTOP, open, test } from "./fixtures.ts";
import { makeThread, post, question, row } from "./rooms.ts";

test.use({ viewport: DESKTOP, expected: [/net::ERR_|Failed to load resource/] });

const app = join(import.meta.dirname, "apps/rooms");
const EVENTS = "**/api/deployments/events*";
let server: TestServer;
test.afterEach(async () => {
  await server.stop();
});

/** An open dialog hides the rest of the page from roles. */
const reconnecting = (page: Page) => page.locator("output").filter({ hasText: /^Reconnecting…$/ });

/**
 * Crashes the server and starts it again at the same address. The page says that it is away, and does not come back
 * before the changes of `meanwhile`.
 */
async function restartUnder(
  page: Page,
  meanwhile: () => Promise<unknown>,
  options: { app?: string } = {},
): Promise<void> {
  const { home, url } = server;
  await page.route(EVENTS, (route) => route.abort());
  await server.crash();
  await expect(reconnecting(page)).toBeVisible();
  server = await startServer({ ...options, home, env: { PORT: new URL(url).port } });
  await meanwhile();
  await expect(reconnecting(page)).toBeVisible();
  await page.unroute(EVENTS);
  await expect(reconnecting(page)).toBeHidden();
}

async function putItem(key: string, value: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ namespace: ["notes"], key, value });
  expect((await fetch(`${server.url}/store/items`, { method: "PUT", headers, body })).status).toBe(204);
}

test("the crons are current after a restart, and a cron that is being made stays", async ({ page }) => {
  server = await startServer();
  const make = (schedule: string) =>
    post(server.url, "/runs/crons", { assistant_id: "echo", schedule, input: question("Hi") });
  await make("0 0 1 1 *");
  await open(page, `${server.url}/deployments/default/crons`);
  await expect(row(page, "0 0 1 1 *")).toBeVisible();
  await page.getByRole("button", { name: "New cron" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Schedule").fill("30 7 * * 1-5");
  await dialog.getByRole("radio", { name: "JSON" }).check({ force: true });
  const input = dialog.getByRole("textbox", { name: "Input as JSON" });
  await input.fill('{"half": ');
  await restartUnder(page, () => make("0 0 2 2 *"));
  await expect(dialog.getByLabel("Schedule")).toHaveValue("30 7 * * 1-5");
  await expect(input).toHaveText('{"half": ');
  await dialog.getByLabel("Input as JSON").fill(JSON.stringify(question("Hi")));
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(row(page, "30 7 * * 1-5")).toBeVisible();
  await expect(row(page, "0 0 2 2 *")).toBeVisible();
});

test("the crons show what others changed during a restart", async ({ page }) => {
  server = await startServer();
  await open(page, `${server.url}/deployments/default/crons`);
  await expect(page.getByText("No crons yet")).toBeVisible();
  await restartUnder(page, () =>
    post(server.url, "/runs/crons", { assistant_id: "echo", schedule: "0 0 2 2 *", input: question("Hi") }),
  );
  await expect(row(page, "0 0 2 2 *")).toBeVisible();
});

test("the assistants are current after a restart, and an edited prompt stays", async ({ page }) => {
  server = await startServer({ app });
  const make = (name: string) =>
    post<{ assistant_id: string }>(server.url, "/assistants", { graph_id: "writer", name });
  const { assistant_id } = await make("Before");
  await open(page, `${server.url}/deployments/default/assistants?assistant=${assistant_id}`);
  const prompt = page.getByRole("textbox", { name: "Plan prompt" });
  await prompt.fill("Half a prompt");
  await restartUnder(page, () => make("After"), { app });
  await expect(page.getByRole("navigation", { name: "Assistants" }).getByRole("link", { name: /After/ })).toBeVisible();
  await expect(prompt).toHaveText("Half a prompt");
  await prompt.press("ControlOrMeta+Enter");
  await expect(page.getByText("Version 2").first()).toBeVisible();
});

test("the store is current after a restart, and a new item that is being written stays", async ({ page }) => {
  server = await startServer();
  await putItem("first", { text: "before" });
  await open(page, `${server.url}/deployments/default/store?namespace=notes`);
  const items = page.getByRole("listbox", { name: "Items" }).getByRole("option");
  await expect(items).toHaveCount(1);
  await page.getByRole("button", { name: "Add item" }).click();
  await page.getByRole("textbox", { name: "Key" }).fill("half a key");
  await page.getByRole("textbox", { name: "Value" }).fill('{"half": ');
  await restartUnder(page, () => putItem("second", { text: "after" }));
  await expect(items).toHaveCount(2);
  await expect(page.getByRole("textbox", { name: "Key" })).toHaveValue("half a key");
  await expect(page.getByRole("textbox", { name: "Value" })).toHaveText('{"half": ');
});

test("an item of the store is current after a restart", async ({ page }) => {
  server = await startServer();
  await putItem("first", { text: "before" });
  await open(page, `${server.url}/deployments/default/store?namespace=notes&key=first`);
  await expect(page.getByRole("tree", { name: "Value of first" })).toContainText("before");
  await restartUnder(page, () => putItem("first", { text: "after" }));
  await expect(page.getByRole("tree", { name: "Value of first" })).toContainText("after");
});

test("the page of a thread is current after a restart, and an answer that is being written stays", async ({ page }) => {
  server = await startServer();
  const id = await makeThread(server.url, {}, "approval", "Tell Ada that her order ships");
  await open(page, `${server.url}/deployments/default/threads/${id}`);
  const card = page.getByRole("region", { name: "Waiting for you" });
  await card.getByRole("button", { name: "Reject" }).click();
  await card.getByRole("textbox").fill("Not ye");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { title: "Renamed meanwhile" } });
  await restartUnder(page, () => fetch(`${server.url}/threads/${id}`, { method: "PATCH", headers, body }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Renamed meanwhile");
  await expect(card.getByRole("textbox")).toHaveValue("Not ye");
  await card.getByRole("textbox").fill("Not yet");
  await card.getByRole("button", { name: "Reject" }).click();
  await expect(card).toBeHidden();
});

test("a tab of a thread that could not be read is read when the server is back", async ({ page }) => {
  server = await startServer();
  const id = await makeThread(server.url, {}, "echo", "About apples");
  await open(page, `${server.url}/deployments/default/threads/${id}?tab=metadata`);
  await expect(page.getByLabel("Metadata").first()).toContainText("graph_id");
  const { home, url } = server;
  await server.crash();
  await expect(reconnecting(page)).toBeVisible();
  await page.getByRole("tab", { name: "State" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "State could not be loaded" })).toBeVisible();
  server = await startServer({ home, env: { PORT: new URL(url).port } });
  await expect(page.getByRole("tabpanel")).toContainText("About apples");
});
