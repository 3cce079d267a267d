import { expect, type Page } from "@playwright/test";
import { DESKTOP, open, PHONE, test } from "./fixtures.ts";

test.use({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });

const CHAT = "/deployments/default/chat";

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox").fill(question);
  await page.keyboard.press("Enter");
}

const answers = (page: Page) => page.getByRole("article");

test("the agent answers with a tool call that can be opened, and hidden", async ({ page }) => {
  await open(page, CHAT);
  await send(page, "What is 12 * 7?");
  const tool = page.getByRole("group", { name: "Tool calculate" });
  await expect(tool).toBeVisible();
  await expect(answers(page).last()).toContainText("= 84");
  await tool.locator("summary").click();
  await expect(tool).toContainText("Arguments");
  await expect(tool).toContainText('"expression": "12 * 7"');
  await expect(tool).toContainText("Result");
  await page.getByRole("button", { name: "Hide tools" }).click();
  await expect(tool).toBeHidden();
  await page.getByRole("button", { name: "Show tools" }).click();
  await expect(tool).toBeVisible();
});

test("a second question goes to the same thread, which remembers", async ({ page }) => {
  await open(page, CHAT);
  await send(page, "What is 12 * 7?");
  await expect(answers(page).last()).toContainText("= 84");
  const thread = new URL(page.url()).searchParams.get("thread") ?? "";
  const sent = page.waitForRequest("**/runs/stream");
  await send(page, "And what time is it in Tokyo?");
  const request = await sent;
  expect(request.url()).toContain(`/threads/${thread}/runs/stream`);
  const body: unknown = request.postDataJSON();
  expect(body).toMatchObject({ assistant_id: "agent", stream_resumable: true, on_disconnect: "continue" });
  expect(JSON.stringify(body)).not.toContain("12 * 7");
  await expect(answers(page)).toHaveCount(2);
  await expect(answers(page).last()).toContainText("Tokyo");
});

test("the answer is copied as it was written, regenerated, and its question edited", async ({ page }) => {
  await open(page, `${CHAT}?assistant=echo`);
  await send(page, "**bold** words");
  await expect(answers(page).last().locator("strong")).toHaveText("bold");
  await page.getByRole("button", { name: "Copy answer" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("**bold** words");
  await page.getByRole("button", { name: "Regenerate" }).click();
  await expect(answers(page)).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();

  await page.getByRole("textbox").press("ArrowUp");
  await expect(page.getByRole("textbox")).toHaveValue("**bold** words");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox")).toHaveValue("");
  await page.getByRole("textbox").press("ArrowUp");
  await page.getByRole("textbox").fill("other words");
  await page.keyboard.press("Enter");
  await expect(answers(page)).toHaveCount(1);
  await expect(answers(page).last()).not.toContainText("bold");
  await expect(answers(page).last().locator(".markdown")).toContainText("other words");
});

test("with the keyboard alone: choose, send, read, open the tool, start anew", async ({ page }) => {
  await open(page, CHAT);
  await expect(page.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("What is");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("12 * 7?");
  await expect(page.getByRole("textbox")).toHaveValue("What is\n12 * 7?");
  await page.keyboard.press("Enter");
  await expect(answers(page).last()).toContainText("= 84");

  const tool = page.getByRole("group", { name: "Tool calculate" });
  await reach(page, () => tool.evaluate((element) => element.contains(document.activeElement)));
  await page.keyboard.press("Enter");
  await expect(tool).toHaveAttribute("open");

  await reach(page, () => focusIs(page, "New"));
  await page.keyboard.press("Enter");
  await expect(answers(page)).toHaveCount(0);
  await expect(page.getByRole("textbox")).toBeFocused();
});

/** Moves the focus backwards through the page until it is at the target. */
async function reach(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 150; step++) {
    if (await isThere()) return;
    await page.keyboard.press("Shift+Tab");
  }
  throw new Error("the target cannot be reached by keyboard");
}

const focusIs = (page: Page, name: string): Promise<boolean> =>
  page.evaluate((label) => document.activeElement?.textContent.trim() === label, name);

test("another assistant is chosen from the list for a new thread, and the one before is found again", async ({
  page,
}) => {
  await open(page, CHAT);
  await send(page, "What is 12 * 7?");
  await expect(answers(page).last()).toContainText("= 84");
  await page.getByLabel("Assistant").selectOption("echo");
  await expect(page).toHaveURL(/assistant=echo/);
  await expect(answers(page)).toHaveCount(0);
  await send(page, "hello");
  await expect(answers(page).last().locator(".markdown")).toContainText("hello");
  await page.goBack();
  await expect(page.getByLabel("Assistant")).toHaveValue("agent");
  await expect(answers(page).last()).toContainText("= 84");
});

test("a reload shows what was there", async ({ page }) => {
  await open(page, CHAT);
  await send(page, "What is 12 * 7?");
  await expect(answers(page).last()).toContainText("= 84");
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await page.reload();
  await expect(answers(page)).toHaveCount(1);
  await expect(page.getByRole("group", { name: "Tool calculate" })).toBeVisible();
  await expect(answers(page).last()).toContainText("= 84");
});

test("an empty conversation offers ways to begin", async ({ page }) => {
  await open(page, CHAT);
  const starter = page.getByRole("list", { name: "Suggestions" }).getByRole("button").first();
  const question = await starter.innerText();
  await starter.click();
  await expect(answers(page).last()).toContainText(question);
  await expect(page.getByRole("button", { name: "Copy answer" })).toBeVisible();
});

test("it works at the width of a phone", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page, CHAT);
  await send(page, "What is 12 * 7?");
  await expect(answers(page).last()).toContainText("= 84");
  await expect(page.getByRole("button", { name: "Send" })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});

test.describe("when the server cannot be reached", () => {
  test.use({ expected: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED/] });

  test("it says so, keeps the question, and Retry sends it again", async ({ page, context }) => {
    await open(page, CHAT);
    await page.route("**/threads/**", (route) => route.abort());
    await page.route("**/threads", (route) => route.abort());
    await send(page, "What is 12 * 7?");
    await expect(page.getByRole("alert").filter({ hasText: "Connection lost" })).toBeVisible();
    await page.unroute("**/threads/**");
    await page.unroute("**/threads");
    const messages = page.getByRole("region", { name: "Messages" });
    await messages.getByRole("button", { name: "Retry" }).click();
    await expect(answers(page).last()).toContainText("= 84");
    await expect(answers(page)).toHaveCount(1);

    await context.setOffline(true);
    await expect(page.getByText("This device is offline")).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText("This device is offline")).toBeHidden();
  });
});
