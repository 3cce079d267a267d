/** Tests the lesson about breakpoints in the Studio of the sample application, and the newcomer's way to it. */
import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessibleInBothSchemes, open, PHONE, test, withServer } from "./fixtures.ts";
import { post } from "./rooms.ts";
import { say } from "./shell-page.ts";
import { details, isDone, messageField, node, send, status, threadOf } from "./studio-page.ts";

const server = withServer(() => ({}));
const studio = (): string => `${server().url}/deployments/default/studio/agent`;
const lesson = (page: Page) => page.getByRole("region", { name: "Lesson about breakpoints" });
const ticks = (page: Page) => lesson(page).getByLabel("Done");

test.use({ viewport: DESKTOP });

test("the lesson is walked by the keyboard, keeps its steps over a reload, and is dismissed", async ({ page }) => {
  await open(page, studio());
  await node(page, "tools").focus();
  await page.keyboard.press("b");
  await expect(ticks(page)).toHaveCount(1);
  await send(page, "What is 12 * 7?");
  await expect(status(page)).toHaveText("Paused before tools");
  await expect(ticks(page)).toHaveCount(2);
  await expect(details(page).getByRole("button", { name: "Continue" })).toBeFocused();
  await page.reload();
  await expect(status(page)).toHaveText("Paused before tools");
  await expect(ticks(page)).toHaveCount(2);
  await expectAccessibleInBothSchemes(page);
  await page.locator("body").press("Space");
  await isDone(page);
  await expect(ticks(page)).toHaveCount(3);
  await expect(lesson(page)).toContainText("That was a breakpoint");
  await lesson(page).getByRole("button", { name: "Dismiss the lesson" }).click();
  await expect(lesson(page)).toHaveCount(0);
  await page.reload();
  await expect(node(page, "tools")).toBeVisible();
  await expect(lesson(page)).toHaveCount(0);
});

test("Space goes on right after the question was sent", async ({ page }) => {
  await open(page, studio());
  await node(page, "tools").focus();
  await page.keyboard.press("b");
  await send(page, "What is 12 * 7?");
  await expect(ticks(page)).toHaveCount(2);
  await page.keyboard.press("Space");
  await isDone(page);
  await expect(messageField(page)).toHaveValue("");
  await expect(ticks(page)).toHaveCount(3);
});

test("a thread that somebody else has paused ticks no step", async ({ page }) => {
  const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
  const input = { messages: [{ role: "user", content: "What is 12 * 7?" }] };
  await post(server().url, `/threads/${thread_id}/runs/wait`, {
    assistant_id: "agent",
    input,
    interrupt_before: ["tools"],
  });
  await open(page, `${studio()}?thread=${thread_id}`);
  await expect(status(page)).toHaveText("Paused before tools");
  await expect(lesson(page)).toBeVisible();
  await expect(ticks(page)).toHaveCount(0);
});

test("the graph of the first minute is opened with the thread that was asked", async ({ page }) => {
  await open(page, `${server().url}/deployments/default/chat?assistant=agent`);
  await say(page, "What is 12 * 7?");
  const thread = await threadOf(page);
  await open(page, server().url);
  await page.getByRole("link", { name: "Open its graph" }).click();
  await isDone(page);
  expect(await threadOf(page)).toBe(thread);
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  test("the lesson shows one step after the other, and the status stands over the graph", async ({ page }) => {
    await open(page, studio());
    const state = page.getByRole("region", { name: "Graph", exact: true }).locator("output:not(.sr-only)");
    await expect(state).toHaveText("No run yet");
    await expect(lesson(page)).toContainText("Select tools");
    await node(page, "tools").click();
    await details(page).getByRole("button", { name: "Stop before" }).click();
    await expect(lesson(page)).toContainText("What is 12 * 7?");
    await send(page, "What is 12 * 7?");
    await expect(lesson(page)).toContainText("then press “Continue”");
    await expect(state).toHaveText("Paused before tools");
    await expectAccessibleInBothSchemes(page);
    await details(page).getByRole("button", { name: "Continue" }).click();
    await expect(state).toHaveText("Done");
    await expect(lesson(page)).toContainText("That was a breakpoint");
  });
});
