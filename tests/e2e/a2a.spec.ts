import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, open, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const A2A = "/deployments/default/a2a";
const frames = (page: Page): Locator => page.getByRole("region", { name: "Frames", exact: true }).locator("details");
const checks = (page: Page): Locator => page.getByRole("region", { name: "Checks" }).getByRole("listitem");
const rows = (page: Page): Locator => page.getByRole("region", { name: "Tasks", exact: true }).locator("> ul > li");
const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });

async function send(page: Page, message: string): Promise<void> {
  await field(page, "Message").fill(message);
  await page.keyboard.press("ControlOrMeta+Enter");
}

/** Sends a message as another client, and returns the id of its task. */
async function sendAsClient(page: Page, base: string, assistant: string, text: string): Promise<string> {
  const message = { messageId: "1", role: "ROLE_USER", parts: [{ text }] };
  const configuration = { returnImmediately: true };
  const data = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message, configuration } };
  const answer = await page.request.post(`${base}/a2a/${assistant}`, { data });
  const { result } = (await answer.json()) as { result: { task: { id: string } } };
  return result.task.id;
}

test.describe("on this project's own graphs", () => {
  test("the card is shown as it is served, in both versions, and passes its checks", async ({ page, baseURL }) => {
    await open(page, "/deployments/default");
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await expect(page).toHaveURL(new RegExp(`${A2A}$`));
    await expect(page.getByText("All checks passed")).toBeVisible();
    await expect(checks(page)).toHaveCount(12);
    await expect(checks(page).filter({ hasText: "Failed" })).toHaveCount(0);
    await expect(checks(page).filter({ hasText: "Push" })).toContainText("http.a2a.push_notifications: true");
    const address = `${baseURL}/agents/default/a2a/agent`;
    for (const value of [`${address}/`, `${address}/.well-known/agent-card.json`, address]) {
      await expect(page.getByTitle(value, { exact: true })).toBeVisible();
    }
    const json = page.getByRole("region", { name: "The card as JSON" });
    await expect(json).toContainText('"preferredTransport"');
    await page.getByRole("radio", { name: "v1.0" }).check({ force: true });
    await expect(json).not.toContainText('"preferredTransport"');
    await expect(json).toContainText('"supportedInterfaces"');
    await page.getByLabel("Assistant").selectOption("echo");
    await expect(page).toHaveURL(/assistant=echo/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("echo");
    await expect(json).toContainText("/a2a/echo");
  });

  test("a call is made with the keyboard alone, in both versions, and continues its task", async ({ page }) => {
    await open(page, `${A2A}?assistant=echo`);
    await page.getByRole("tab", { name: "Card" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/show=try/);
    await send(page, "Hello over there");
    await expect(page.getByText(/^\d+ frames in .*, HTTP 200/)).toBeVisible();
    await expect(frames(page).nth(0)).toContainText("SendStreamingMessage");
    await expect(frames(page).nth(1)).toContainText("task");
    await expect(frames(page).nth(1)).toContainText('"TASK_STATE_SUBMITTED"');
    await expect(frames(page).last()).toContainText("completed");
    const context = await field(page, "Context id").inputValue();
    const task = await field(page, "Task id").inputValue();
    expect([context, task].every((id) => id.length === 36)).toBe(true);
    await expect(page.getByText("completed: not sent with a message")).toBeVisible();
    await expect(page.getByRole("region", { name: "This call with curl" })).toContainText("a2a-version: 1.0");

    await page.getByRole("radio", { name: "v0.3" }).check({ force: true });
    await field(page, "Method").selectOption("send");
    await send(page, "And again");
    await expect(page.getByText(/^1 frame in/)).toBeVisible();
    await expect(frames(page).nth(0)).toContainText("message/send");
    await expect(frames(page).nth(1)).toContainText('"kind": "task"');
    await expect(frames(page).nth(1)).toContainText("And again");
    expect(await field(page, "Context id").inputValue()).toBe(context);
    expect(await field(page, "Task id").inputValue()).not.toBe(task);

    await field(page, "Method").selectOption("get");
    await field(page, "Task id").fill(task);
    await page.keyboard.press("Enter");
    await expect(frames(page).nth(1)).toContainText("Hello over there");
    await field(page, "Method").selectOption("list");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(frames(page).nth(1)).toContainText('"totalSize": 2');
    await page.getByRole("button", { name: "Start over" }).click();
    await expect(field(page, "Context id")).toHaveValue("");
  });

  test("an error is shown with its code, its reason and what to do", async ({ page }) => {
    await open(page, `${A2A}?assistant=echo&show=try`);
    await field(page, "Method").selectOption("get");
    await expect(page.getByText("Name a task")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
    await field(page, "Task id").fill("no-such-task");
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "-32001" });
    await expect(alert).toContainText("TASK_NOT_FOUND");
    await expect(alert).toContainText("Look for it under Tasks");
    await field(page, "Method").selectOption("extendedCard");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: "-32004" })).toBeVisible();
    await field(page, "Method").selectOption("send");
    await page.getByRole("radio", { name: "All parameters" }).check({ force: true });
    await field(page, "Parameters (JSON)").fill('{"message": {"role": "ROLE_USER"}}');
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(page.getByRole("alert").filter({ hasText: "-32602" })).toContainText("message.parts");
    await expectAccessible(page);
  });

  test("a task that waits is answered, another is cancelled, and the list updates itself", async ({
    page,
    baseURL,
  }) => {
    const base = `${baseURL}/agents/default`;
    await open(page, `${A2A}?assistant=approval&show=tasks`);
    await expect(page.getByText("None yet.")).toBeVisible();
    const first = await sendAsClient(page, base, "approval", "Tell Ada that her order ships on Friday");
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText("Input required");
    await expect(rows(page).first()).toContainText("Tell Ada that her order ships");
    await rows(page).first().getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`task=${first}`));
    const question = page.getByRole("region", { name: "Waiting for you" });
    await expect(question).toContainText("Hello Ada");
    await expectAccessible(page);
    await question.getByRole("button", { name: "Approve" }).press("Enter");
    await expect(rows(page).first()).toContainText("Completed");
    await expect(page.getByRole("region", { name: "Artifacts" })).toContainText("Approved, as drafted");
    await expect(question).toHaveCount(0);

    await sendAsClient(page, base, "approval", "Invite the team to lunch");
    await expect(rows(page)).toHaveCount(2);
    await rows(page).filter({ hasText: "Invite" }).getByRole("button").first().click();
    await page.getByRole("button", { name: "Cancel task" }).click();
    await expect(rows(page).filter({ hasText: "Invite" })).toContainText("Cancelled");
    await field(page, "State").selectOption("canceled");
    await expect(page).toHaveURL(/state=canceled/);
    await expect(rows(page)).toHaveCount(1);
    await field(page, "State").selectOption("failed");
    await expect(page.getByText("No task is in this state.")).toBeVisible();
  });

  test("more tasks than one page are loaded on request", async ({ page, baseURL }) => {
    const base = `${baseURL}/agents/default`;
    for (let count = 0; count < 27; count++) await sendAsClient(page, base, "agent", `What is ${count} + 1?`);
    await open(page, `${A2A}?assistant=agent&show=tasks`);
    await expect(page.getByRole("button", { name: "Load more" })).toBeVisible();
    await expect(rows(page)).toHaveCount(25);
    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(27);
  });
});

test.describe("on graphs that are edge cases", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/edge-cases") }));
  const pageUrl = (query: string): string => `${server().url}${A2A}?${query}`;

  test("a stream is stopped by Esc, joined again, and its task cancelled", async ({ page }) => {
    await open(page, pageUrl("assistant=slow&show=try"));
    await send(page, "Take your time");
    await expect.poll(() => frames(page).count()).toBeGreaterThan(4);
    await page.keyboard.press("Escape");
    await expect(page.getByText(/^Stopped listening/)).toBeVisible();
    await field(page, "Method").selectOption("subscribe");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(frames(page).nth(1)).toContainText('"TASK_STATE_WORKING"');
    await expect.poll(() => frames(page).count()).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Stop" }).click();
    await field(page, "Method").selectOption("cancel");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(frames(page).nth(1)).toContainText('"TASK_STATE_CANCELED"');
    await page.getByRole("tab", { name: "Tasks" }).click();
    await expect(rows(page).first()).toContainText("Cancelled");
  });

  test("a graph that takes data is given data, and its answer is data", async ({ page }) => {
    await open(page, pageUrl("assistant=score&show=try"));
    await expect(page.getByRole("radio", { name: "Data" })).toBeChecked();
    await field(page, "Method").selectOption("send");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(frames(page).nth(1)).toContainText('"score"');
  });

  test("a task that failed says why, and what an agent says is never HTML", async ({ page }) => {
    await sendAsClient(page, server().url, "fails", "Go on");
    await open(page, pageUrl("assistant=fails&show=tasks"));
    await expect(rows(page).first()).toContainText("Failed");
    await rows(page).first().getByRole("button").first().click();
    await expect(page.getByRole("region", { name: "Status" })).toContainText("out of range");
    await sendAsClient(page, server().url, "hostile", "Hello");
    await open(page, pageUrl("assistant=hostile&show=tasks"));
    await rows(page).first().getByRole("button").first().click();
    await expect(page.getByRole("region", { name: "Artifacts" })).toContainText(
      '<script>document.title = "owned"</script>',
    );
    await expect(page.getByRole("region", { name: "Artifacts" }).locator("img, script, a")).toHaveCount(0);
  });
});

test.describe("on a server with push notifications", () => {
  const server = withServer(() => ({
    app: join(import.meta.dirname, "../api/apps/pushed"),
    env: { GRAPHLIB_A2A_PUSH: "true", GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: "true" },
  }));

  test("the state of each push notification is shown beside the tasks, as it changes", async ({ page }) => {
    const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const address = receiver.address();
    const port = typeof address === "object" && address ? address.port : 0;
    await open(page, `${server().url}${A2A}?assistant=echo&show=tasks`);
    const deliveries = page.getByRole("region", { name: "Deliveries" });
    await expect(deliveries).toContainText("None yet.");
    const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: "Tell me" }] };
    const configuration = { taskPushNotificationConfig: { url: `http://127.0.0.1:${port}/push` } };
    const data = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message, configuration } };
    await page.request.post(`${server().url}/a2a/echo`, { data });
    await expect(deliveries.getByRole("listitem").first()).toContainText("Delivered");
    await expect(deliveries.getByRole("listitem").first()).toContainText("HTTP 204, attempt 1");
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Card" }).click();
    await expect(checks(page).filter({ hasText: "Push" })).toContainText("Passed");
    receiver.close();
  });
});

test.describe("on an application that has disabled A2A", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/a2a-disabled") }));

  test("says so, with the line that disables it", async ({ page }) => {
    await open(page, `${server().url}${A2A}`);
    await expect(page.getByText("A2A is disabled")).toBeVisible();
    await expect(page.locator("main")).toContainText('"http": { "disable_a2a": true }');
    await expectAccessible(page);
  });
});

test.describe("on a server whose public address is another", () => {
  const server = withServer(() => ({ env: { PUBLIC_URL: "https://agents.example.com" } }));
  test.use({ expected: [/403/] });

  test("the check of the card names it, with the fix", async ({ page }) => {
    await page.goto(`${server().url}${A2A}`);
    const failed = checks(page).filter({ hasText: "Failed" });
    await expect(failed).toHaveCount(1);
    await expect(failed).toContainText("https://agents.example.com");
    await expect(failed).toContainText("PUBLIC_URL");
    await expect(page.getByText("1 check failed")).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe("on a server with a key", () => {
  const KEY = "a-key-for-the-tests";
  const server = withServer(() => ({ env: { GRAPHLIB_API_KEY: KEY } }));
  test.use({ expected: [/401/] });

  test("calls as the signed-in user, and says when nobody is signed in", async ({ page, context }) => {
    await page.goto(`${server().url}/sign-in?next=${A2A}`);
    await page.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await expect(page.getByText("All checks passed")).toBeVisible();
    await expect(page.getByText("apiKey · header · x-api-key")).toBeVisible();
    await page.getByRole("tab", { name: "Try it" }).click();
    await send(page, "What is 12 * 7?");
    await expect(page.getByText(/^\d+ frames in .*, HTTP 200/)).toBeVisible();
    await expect(page.getByRole("region", { name: "This call with curl" })).toContainText("$GRAPHLIB_API_KEY");
    await context.clearCookies();
    await send(page, "And 13 * 7?");
    await expect(page.getByRole("alert").filter({ hasText: "-32000" })).toContainText("Sign in");
    await expect(page.getByText(/HTTP 401/)).toBeVisible();
  });
});
