/** Restarts the server under the Studio: the page says so, reconnects, and loses nothing. */
import { expect, type Page } from "@playwright/test";
import { startServer, type TestServer } from "../support/server.ts";
import { DESKTOP, test } from "./fixtures.ts";
import { post, question } from "./rooms.ts";
import {
  details,
  enterAt,
  inputField,
  isDone,
  node,
  run,
  send,
  status,
  steps,
  STUDIO_APP,
  tab,
  threadOf,
  writeInput,
} from "./studio-page.ts";

test.use({ viewport: DESKTOP, expected: [/net::ERR_|Failed to load resource/] });

let server: TestServer;
test.beforeEach(async () => {
  server = await startServer({ app: STUDIO_APP });
});
test.afterEach(async () => {
  await server.stop();
});

/** Starts another server with the home and the address of the one that crashed. */
async function restart(): Promise<void> {
  const { home, url } = server;
  server = await startServer({ app: STUDIO_APP, home, env: { PORT: new URL(url).port } });
}

/** Lets the node of a run that waits for a gate go on. */
async function openGate(name: string): Promise<void> {
  const item = { namespace: ["gates"], key: name, value: { open: true } };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/store/items`, { method: "PUT", headers, body: JSON.stringify(item) });
  expect(answer.status).toBe(204);
}

const lost = (page: Page) => details(page).getByText("The server does not answer. Reconnecting…");
const stepOf = (page: Page, name: string) =>
  steps(page).filter({ has: page.getByRole("button", { name: new RegExp(`^${name}`) }) });

test("a run that is watched goes on, and log, unsent input and selection stay", async ({ page }) => {
  await enterAt(page, server.url, "slow", "?tab=input");
  await writeInput(page, { gate: "restart", text: "begin" });
  await run(page);
  await expect(node(page, "wait")).toHaveAccessibleName(/running/);
  await expect(stepOf(page, "before")).toHaveCount(1);
  await node(page, "before").click();
  await tab(page, "Input").click();
  await writeInput(page, {});
  await inputField(page).fill('{"text": "not sent');

  await server.crash();
  await expect(lost(page)).toBeVisible();
  await expect(details(page)).toContainText("nothing of it is lost");
  await expect(status(page)).toHaveText("Reconnecting…");

  await restart();
  // A toast would say the same, and cover the field for a message.
  const toasts = page.getByRole("region", { name: "Notifications" });
  await expect(toasts.filter({ hasText: /does not answer|Connected again/ })).toHaveCount(0);
  await expect(lost(page)).toBeHidden();
  await expect(node(page, "wait")).toHaveAccessibleName(/running/);
  await openGate("restart");
  await isDone(page);
  await expect(inputField(page)).toHaveText('{"text": "not sent');
  await tab(page, "Run").click();
  for (const name of ["before", "wait", "after"]) await expect(stepOf(page, name)).toHaveCount(1);
  await expect(stepOf(page, "wait")).toContainText("waited");
  await expect(node(page, "after")).toHaveAccessibleName(/done/);
  await expect(node(page, "before")).toHaveAttribute("aria-pressed", "true");

  // A page that is opened anew shows the same.
  const live = await steps(page).allInnerTexts();
  await page.reload();
  await expect(steps(page)).toHaveCount(live.length);
  await expect(status(page)).toHaveText("Done");
});

test("a run that ends while the page is not connected is shown to its end", async ({ page }) => {
  await enterAt(page, server.url, "slow", "?tab=input");
  await writeInput(page, { gate: "away", text: "begin" });
  await run(page);
  await expect(node(page, "wait")).toHaveAccessibleName(/running/);
  const thread = await threadOf(page);
  // The page's connections fail from here on, those of other clients do not.
  await page.context().setOffline(true);
  await server.crash();
  await restart();
  await openGate("away");
  await expect.poll(async () => (await fetch(`${server.url}/threads/${thread}`)).text()).toContain('"idle"');
  await expect(details(page).getByText("This device is offline.")).toBeVisible();
  await page.context().setOffline(false);
  await isDone(page);
  for (const name of ["before", "wait", "after"]) await expect(stepOf(page, name)).toHaveCount(1);
});

test("what is typed stays, and what others did meanwhile is shown", async ({ page }) => {
  await enterAt(page, server.url, "agent");
  await send(page, "refund");
  await isDone(page);
  const field = page.getByRole("textbox", { name: /^Message to/ });
  await field.fill("half a sentence");
  await server.crash();
  await expect(lost(page)).toBeVisible();
  await field.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "The server could not be reached" })).toBeVisible();
  await expect(field).toHaveValue("half a sentence");

  await restart();
  await expect(lost(page)).toBeHidden();
  const asked = { assistant_id: "agent", input: question("from elsewhere"), stream_resumable: true };
  await post(server.url, `/threads/${await threadOf(page)}/runs/wait`, { ...asked, stream_mode: ["debug"] });
  await expect(steps(page).filter({ hasText: "triage" })).toContainText("from elsewhere");
  await isDone(page);
  await expect(field).toHaveValue("half a sentence");
});

test("a thread that could not be read is read when the server is back", async ({ page }) => {
  await enterAt(page, server.url, "agent");
  await send(page, "refund");
  await isDone(page);
  const shown = page.url();
  await page.getByRole("button", { name: /choose another$/ }).click();
  await page.getByRole("button", { name: "New thread" }).click();
  await expect(status(page)).toHaveText("No run yet");
  await server.crash();
  await expect(lost(page)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(shown);
  await expect(page.getByRole("alert").filter({ hasText: "could not be loaded" })).toBeVisible();
  await restart();
  await expect(steps(page).last()).toContainText("It is settled");
  await isDone(page);
});

test("an action that fails for want of a server says so", async ({ page }) => {
  await enterAt(page, server.url, "agent");
  await send(page, "refund");
  await isDone(page);
  await page.getByRole("button", { name: /^From here/ }).click();
  await expect(page.getByRole("button", { name: "Copy to a new thread" })).toBeVisible();
  await server.crash();
  await expect(lost(page)).toBeVisible();
  await page.getByRole("button", { name: "Copy to a new thread" }).click();
  await expect(page.getByRole("dialog").getByText("The server could not be reached.")).toBeVisible();
  await restart();
  await expect(lost(page)).toBeHidden();
  await page.getByRole("button", { name: "Copy to a new thread" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await isDone(page);
});
