/** Tests what a run of the Studio begins with: a message, the input of the shown run, and a thread that exists. */
import { expect, type Page } from "@playwright/test";
import { hold, test } from "./fixtures.ts";
import { toast } from "./shell-page.ts";
import {
  details,
  isDone,
  messageField,
  run,
  send,
  status,
  steps,
  threadOf,
  withStudio,
  writeInput,
} from "./studio-page.ts";

const { enter } = withStudio();

const runButton = (page: Page) => page.getByRole("banner").getByRole("button", { name: /^Run/ });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Fails the test if the page starts a run. */
async function refuseRuns(page: Page): Promise<void> {
  await page.route("**/runs/stream", (route) => {
    throw new Error(`A run was started: ${route.request().postData()}`);
  });
}

test("without a message nothing is started: the field gets the focus, and it is said what is missing", async ({
  page,
}) => {
  await enter(page, "agent");
  await refuseRuns(page);
  for (const ask of [() => page.keyboard.press("r"), () => run(page)]) {
    await expect(runButton(page)).toBeEnabled();
    await ask();
    await expect(messageField(page)).toBeFocused();
    await expect(messageField(page)).toHaveAccessibleDescription("Write a message to run the graph");
    await page.keyboard.type("x");
    await expect(messageField(page)).toHaveAccessibleDescription("new thread");
    await messageField(page).fill("");
    await messageField(page).blur();
  }
  await expect(status(page)).toHaveText("No run yet");
});

test("the button Run sends the message that is written", async ({ page }) => {
  await enter(page, "agent");
  await messageField(page).fill("written");
  await run(page);
  await isDone(page);
  await expect(steps(page).first()).toContainText("written");
  await expect(messageField(page)).toHaveValue("");
});

test("the call of the shown run has its input, and copying is confirmed", async ({ page }) => {
  await enter(page, "agent");
  const copy = async (language: string): Promise<string> => {
    await page.getByRole("button", { name: "Share and export" }).click();
    await page.getByRole("button", { name: `Copy the call as ${language}` }).click();
    await expect(toast(page, `Call in ${language} copied`)).toBeVisible();
    return copied(page);
  };
  await messageField(page).fill("a draft");
  expect(await copy("curl")).toContain("a draft");
  await send(page, "refund one");
  await isDone(page);
  await send(page, "refund two");
  await isDone(page);
  await messageField(page).fill("not yet sent");
  const newest = await copy("Python");
  expect(newest).toContain('"content": "refund two"');
  expect(newest).toContain(await threadOf(page));
  expect(newest).not.toContain("not yet sent");
  // An older turn is a run of its own.
  await page.getByRole("button", { name: "Earlier turn" }).click();
  await expect(steps(page).first()).toContainText("refund one");
  expect(await copy("JavaScript")).toContain('content: "refund one"');
  await page.getByRole("button", { name: "Share and export" }).click();
  await page.getByRole("button", { name: "Copy the link to this view" }).click();
  await expect(toast(page, "Link copied")).toBeVisible();
});

test("the call of a run that was continued is the one with its input", async ({ page }) => {
  await enter(page, "slow", "?tab=input");
  await writeInput(page, { ms: 1, text: "with a pause" });
  await details(page)
    .getByRole("checkbox", { name: /Pause before every node/ })
    .check();
  await run(page);
  await expect(status(page)).toHaveText("Paused before before");
  await page.getByRole("banner").getByRole("button", { name: "Step" }).click();
  await expect(status(page)).toHaveText("Paused before wait");
  await page.getByRole("button", { name: "Share and export" }).click();
  await page.getByRole("button", { name: "Copy the call as curl" }).click();
  await expect.poll(() => copied(page)).toContain("with a pause");
});

test.describe("without its thread", () => {
  test.use({ expected: [/status of 404/] });

  test("a run that is started on a thread that is gone begins a new one", async ({ page }) => {
    const gone = "00000000-0000-4000-8000-000000000000";
    for (const start of ["message", "button", "input"]) {
      await enter(page, start === "input" ? "wide" : "agent", `?thread=${gone}&checkpoint=${gone}`);
      await expect(details(page).getByText("This thread no longer exists")).toBeVisible();
      if (start === "button") await details(page).getByRole("button", { name: "New thread" }).click();
      else if (start === "message") await expect(messageField(page)).toHaveAccessibleDescription("new thread");
      if (start === "input") await run(page);
      else await send(page, "refund");
      await isDone(page);
      expect(await threadOf(page)).not.toBe(gone);
      expect(page.url()).not.toContain("checkpoint");
    }
  });
});

test("until the schemas are read, the field says nothing of messages, and r waits", async ({ page }) => {
  const release = await hold(page, /\/schemas$/);
  await enter(page, "wide");
  await expect(messageField(page)).toHaveAttribute("placeholder", "Reading the graph…");
  await expect(page.getByPlaceholder(/^Message to/)).toHaveCount(0);
  await page.keyboard.press("r");
  await expect(page.getByRole("banner").getByRole("button", { name: "Reading the graph…" })).toBeVisible();
  release();
  await isDone(page);
  await expect(messageField(page)).toHaveCount(0);
});

test("what r waits for is not started once somebody writes a message", async ({ page }) => {
  const release = await hold(page, /\/schemas$/);
  await enter(page, "agent");
  await refuseRuns(page);
  await page.keyboard.press("r");
  await messageField(page).fill("a thought");
  release();
  await expect(runButton(page)).toBeEnabled();
  await expect(messageField(page)).toHaveValue("a thought");
  await expect(status(page)).toHaveText("No run yet");
});

test("earlier messages come back after a reload", async ({ page }) => {
  await enter(page, "agent");
  await send(page, "one");
  await isDone(page);
  await send(page, "two");
  await isDone(page);
  await page.reload();
  await messageField(page).focus();
  await expect(messageField(page)).toHaveAttribute("placeholder", "Message to agent…");
  for (const text of ["two", "one"]) {
    await page.keyboard.press("ArrowUp");
    await expect(messageField(page)).toHaveValue(text);
  }
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(messageField(page)).toHaveValue("");
});
