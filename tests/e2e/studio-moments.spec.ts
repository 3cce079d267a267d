/** Tests what the studio says of single moments of a thread: of edits by hand, of inputs, and of a thread before its first run. */
import { expect, type Page } from "@playwright/test";
import { PHONE, test } from "./fixtures.ts";
import { post } from "./rooms.ts";
import {
  details,
  graph,
  inputField,
  isDone,
  node,
  run,
  scrubber,
  send,
  status,
  steps,
  tab,
  threadOf,
  withStudio,
  writeInput,
} from "./studio-page.ts";

const { server, enter, enterSlow } = withStudio();

const entries = (page: Page) =>
  steps(page).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")?.replace(/^Step -?\d+: /, "")));

/** Writes the shown state by hand. */
async function editState(page: Page, state: object): Promise<void> {
  await tab(page, "State").click();
  await details(page).getByRole("button", { name: "Edit", exact: true }).click();
  await details(page).getByRole("textbox", { name: "State" }).fill(JSON.stringify(state));
  await details(page).getByRole("button", { name: "Fork with this state" }).click();
  await expect(details(page).getByRole("button", { name: "Edit", exact: true })).toBeVisible();
  await tab(page, "Run").click();
}

test("an edit by hand has its own entry, before a node and after the last, also after a reload", async ({ page }) => {
  await enterSlow(page);
  await node(page, "wait").focus();
  await page.keyboard.press("b");
  await run(page);
  await expect(status(page)).toHaveText("Paused before wait");
  await editState(page, { ms: 1, text: "by hand" });
  const before = ["Input", "before", "State edited", "wait"];
  await expect.poll(() => entries(page)).toEqual(before);
  await expect(steps(page).last()).toContainText("Next");
  await page.reload();
  await expect.poll(() => entries(page)).toEqual(before);
  await page.getByRole("button", { name: "Continue Space" }).click();
  await isDone(page);
  await editState(page, { ms: 1, text: "by hand again" });
  const after = [...before, "after", "State edited"];
  await expect.poll(() => entries(page)).toEqual(after);
  await expect(details(page)).not.toContainText("Cancelled");
  await page.reload();
  await expect.poll(() => entries(page)).toEqual(after);
});

test("each turn begins with its input and in the past, also after a reload", async ({ page }) => {
  await enter(page, "agent");
  await send(page, "refund");
  await isDone(page);
  // The clock of the page may tick in these seconds, but seldom does.
  await page.waitForTimeout(3_000);
  await send(page, "Good morning");
  await expect(steps(page).first()).toHaveAccessibleName(/: Input$/);
  await expect(details(page).locator("time").first()).not.toHaveText(/^in /);
  await isDone(page);
  await expect(details(page)).toContainText("Turn 2 of 2");
  await page.reload();
  await expect(details(page)).toContainText("Turn 2 of 2");
  await expect(steps(page).first()).toHaveAccessibleName(/: Input$/);
});

test("at the first checkpoint of a turn nothing is done yet", async ({ page }) => {
  await enter(page, "agent");
  await send(page, "refund");
  await isDone(page);
  const end = graph(page).getByText("end", { exact: true });
  await expect(end).toHaveClass(/bg-ok-soft/);
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  await expect(details(page)).toContainText("This was before the start");
  await expect(scrubber(page)).toHaveAttribute("aria-valuetext", "1 of 7: Step -1, input, next: the start");
  await expect(end).not.toHaveClass(/bg-ok-soft/);
});

test("a run that fails before its first node has failed at the start, and says why", async ({ page }) => {
  await enterSlow(page);
  await run(page);
  await isDone(page);
  await tab(page, "Input").click();
  await writeInput(page, { ms: 1 });
  await inputField(page).fill("5");
  await run(page);
  await expect(status(page)).toHaveText("Failed");
  await expect(details(page).getByRole("region", { name: "Failed" })).toContainText("Failed at the start");
  await expect(details(page).getByRole("alert")).not.toBeEmpty();
});

test("a thread without a run has no run yet, and one that only failed has failed", async ({ page }) => {
  const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {
    metadata: { graph_id: "agent" },
  });
  await enter(page, "agent", `?thread=${thread_id}`);
  await expect(status(page)).toHaveText("No run yet");
  await enter(page, "doomed");
  await run(page);
  await expect(status(page)).toHaveText("Failed");
  await expect(page).toHaveURL(/thread=/);
  await enter(page, "doomed", `?thread=${await threadOf(page)}`);
  await expect(status(page)).toHaveText("Failed");
});

test("a run that another client rolls back leaves nothing to go on from", async ({ page }) => {
  const { url } = server();
  await enterSlow(page, 60_000);
  await run(page);
  await expect(status(page)).toHaveText("Running wait");
  await expect(page).toHaveURL(/thread=/);
  const runs = await fetch(`${url}/threads/${await threadOf(page)}/runs`);
  const [newest] = (await runs.json()) as { run_id: string }[];
  await fetch(`${url}/threads/${await threadOf(page)}/runs/${newest?.run_id}/cancel?action=rollback`, {
    method: "POST",
  });
  await expect(status(page)).toHaveText("No run yet");
  await expect(page.getByRole("button", { name: /^Continue/ })).toHaveCount(0);
  await expect(scrubber(page)).toHaveCount(0);
});

test("a key that reverses the direction of text leaves its value in its place", async ({ page }) => {
  await enter(page, "hostile");
  await run(page);
  await isDone(page);
  await tab(page, "State").click();
  const field = details(page).getByRole("treeitem").filter({ hasText: "rtl" }).last();
  await expect(field).toBeVisible();
  const [label, value] = await field
    .locator("span")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  expect(value?.left).toBeGreaterThanOrEqual(label?.right ?? Infinity);
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });
  test("two open questions leave room for the log", async ({ page }) => {
    await enter(page, "parallel");
    await run(page);
    await expect(page.getByText("2 questions wait for you")).toBeVisible();
    const box = await page.getByRole("log", { name: "Steps of the run" }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(96);
    await page.getByRole("button", { name: /^Answer:/ }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("button", { name: /^Answer:/ })).toBeInViewport();
  });
});
