/** Walks the paths of the Studio by mouse alone: keys only type text into fields. */
import { expect, type Page } from "@playwright/test";
import { open, test } from "./fixtures.ts";
import {
  details,
  graph,
  isDone,
  node,
  run,
  scrubber,
  status,
  steps,
  tab,
  threadOf,
  withStudio,
} from "./studio-page.ts";

const { server, enter } = withStudio();
const bar = (page: Page) => page.getByRole("banner");

/** Types a message, and sends it with the button. */
async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Message to/ }).click();
  await page.keyboard.type(text);
  await page.getByRole("form", { name: "Message" }).getByRole("button", { name: /^Send/ }).click();
}

/** Clicks on the timeline at a part of its width. */
async function clickTimeline(page: Page, part: number): Promise<void> {
  const { width = 0, height = 0 } = (await scrubber(page).boundingBox()) ?? {};
  await scrubber(page).click({ position: { x: Math.min(width - 2, Math.max(2, width * part)), y: height / 2 } });
}

test("understand: the graph is opened, its nodes are described, and its view is moved", async ({ page }) => {
  await open(page, `${server().url}/deployments/default`);
  await page.getByRole("group", { name: "Deployment default" }).getByRole("link", { name: "Studio" }).click();
  await expect(graph(page).locator("[data-node]").first()).toBeVisible();
  await enter(page, "nested");
  await graph(page).getByRole("button", { name: "Open child" }).click();
  await node(page, "plan").click();
  await expect(details(page).getByRole("heading", { level: 2 })).toContainText("plan");
  await graph(page).getByRole("button", { name: "Zoom in" }).click();
  await graph(page).getByRole("button", { name: /^Fit/ }).click();
  await graph(page).getByRole("button", { name: "Subgraphs" }).click();
  await graph(page).getByRole("button", { name: "Subgraphs" }).click();
  await expect(node(page, "plan")).toHaveCount(0);
});

test("run and read: a form runs, and the log and the graph lead to each other", async ({ page }) => {
  await enter(page, "flaky");
  await tab(page, "Input").click();
  await details(page).getByRole("textbox", { name: /text/i }).click();
  await page.keyboard.type("by mouse");
  await details(page)
    .getByRole("button", { name: /^Run with this input/ })
    .click();
  await isDone(page);
  await expect(steps(page).first()).toContainText("by mouse");
  await expect(steps(page).last()).toContainText("3 attempts");
  await expect(steps(page).last().getByRole("list", { name: "Attempts that failed" })).toContainText(
    "attempt 2 failed",
  );
  await steps(page)
    .getByRole("button", { name: /^begin/ })
    .click();
  await expect(node(page, "begin")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Back to newest" }).click();
  await node(page, "try").click();
  await expect(details(page).getByRole("heading", { name: "try" })).toBeVisible();
  await tab(page, "Run").click();
  await expect(steps(page).getByRole("button", { name: /^try/ })).toHaveAttribute("aria-current", "true");
  await tab(page, "Input").click();
  await details(page).getByRole("button", { name: "Earlier input" }).click();
  await expect(details(page).getByRole("textbox", { name: /text/i })).toHaveValue(/by mouse$/);
});

test("stop and ask: the border of a node stops a run, and its questions are answered", async ({ page }) => {
  await enter(page, "agent");
  await graph(page).getByRole("button", { name: "Breakpoint before tools" }).click();
  await graph(page).getByRole("button", { name: "Breakpoint after model" }).click();
  await sendMessage(page, "refund");
  await expect(status(page)).toHaveText("Paused before tools");
  await graph(page).getByRole("button", { name: "Breakpoint after model" }).click();
  await bar(page).getByRole("button", { name: "Step" }).click();
  await expect(status(page)).toHaveText("Paused before model");
  await bar(page)
    .getByRole("button", { name: /^Continue/ })
    .click();
  await isDone(page);

  await enter(page, "review");
  await run(page);
  await expect(details(page).getByText("Run send_email?")).toBeVisible();
  await details(page).getByRole("button", { name: "Approve" }).click();
  await expect(details(page).getByText("Run delete_file?")).toBeVisible();
  await details(page).getByRole("button", { name: "Reject" }).click();
  await details(page).getByRole("form", { name: "Reject" }).getByRole("button", { name: "Reject" }).click();
  await isDone(page);
});

test("go back: a moment is clicked on the timeline, forked, run on from and compared", async ({ page }) => {
  await enter(page, "agent");
  await sendMessage(page, "refund");
  await isDone(page);
  await clickTimeline(page, 0.5);
  await expect(graph(page).getByText("A past state is shown")).toBeVisible();
  const fromHere = page.getByRole("button", { name: /^From here/ });
  await fromHere.click();
  await page.getByRole("button", { name: "Run on from here" }).click();
  await isDone(page);
  await clickTimeline(page, 0);
  await expect(status(page)).toHaveText("Past state");
  await fromHere.click();
  await page.getByRole("button", { name: "Compare with the newest" }).click();
  await expect(details(page).getByRole("region", { name: "Comparison" })).toBeVisible();
  await details(page).getByRole("button", { name: "End the comparison" }).click();
  await fromHere.click();
  const first = await threadOf(page);
  await page.getByRole("button", { name: "Copy to a new thread" }).click();
  await expect.poll(() => threadOf(page)).not.toBe(first);
});

test("hand over: links, calls and files are taken, and another thread is opened", async ({ page }) => {
  await enter(page, "agent");
  await sendMessage(page, "refund");
  await isDone(page);
  const first = await threadOf(page);
  const more = page.getByRole("button", { name: "Share and export" });
  await more.click();
  await page.getByRole("button", { name: "Copy the call as Python" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(first);
  await more.click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "The graph as SVG" }).click();
  expect((await download).suggestedFilename()).toBe("agent.svg");
  await page.getByRole("button", { name: /choose another$/ }).click();
  await page.getByRole("button", { name: "New thread" }).click();
  await expect(status(page)).toHaveText("No run yet");
  await page.getByRole("button", { name: /choose another$/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: new RegExp(first.slice(-4)) })
    .click();
  await isDone(page);
  await more.click();
  await page.getByRole("button", { name: "Open in the chat" }).click();
  await expect(page.getByRole("article").first()).toContainText("refund");
});
