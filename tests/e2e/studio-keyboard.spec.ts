/** Walks the paths of the Studio by the keyboard alone: Tab, arrows, Enter, and the page's shortcuts. */
import { expect, type Page } from "@playwright/test";
import { open, test } from "./fixtures.ts";
import { post } from "./rooms.ts";
import {
  details,
  graph,
  isDone,
  node,
  scrubber,
  status,
  steps,
  tab,
  tabTo,
  threadOf,
  withStudio,
} from "./studio-page.ts";

const { server, enter } = withStudio();

/** Types a message into the field below the log, and sends it. */
async function typeMessage(page: Page, text: string): Promise<void> {
  await tabTo(page, page.getByRole("textbox", { name: /^Message to/ }));
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Goes to a control of the page by Tab, and presses Enter. */
async function enterOn(page: Page, target: Parameters<typeof tabTo>[1]): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

test("understand: the graph is found, walked through, opened and searched", async ({ page }) => {
  await open(page, `${server().url}/deployments/default`);
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(graph(page).locator("[data-node]").first()).toBeVisible();
  await enter(page, "nested");
  await tabTo(page, node(page, "before"));
  await page.keyboard.press("ArrowDown");
  await expect(node(page, "child")).toBeFocused();
  await expect(details(page).getByRole("heading", { name: "child" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await expect(details(page).getByRole("heading", { level: 2 })).not.toHaveText("child");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("after");
  await page.keyboard.press("Enter");
  await expect(node(page, "after")).toBeFocused();
  await page.keyboard.press("f");
  await enterOn(page, page.getByRole("button", { name: "Zoom in" }));
  // All subgraphs are opened, and closed.
  await enterOn(page, page.getByRole("button", { name: "Subgraphs" }));
  await expect(node(page, "read")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(node(page, "plan")).toHaveCount(0);
});

test("one of 500 nodes is chosen from their list by a part of its name", async ({ page }) => {
  await enter(page, "big", "?tab=node");
  await tabTo(page, details(page).getByRole("searchbox", { name: "Filter the nodes" }));
  await page.keyboard.type("row 99 step 5");
  await expect(details(page)).toContainText("No node has this name.");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("4");
  await expect(details(page).getByRole("listitem")).toHaveCount(1);
  await enterOn(page, details(page).getByRole("button", { name: "row 99 step 4" }));
  await expect(page).toHaveURL(/node=row(\+|%20)99(\+|%20)step(\+|%20)4/);
  await expect(details(page).getByRole("heading", { name: "row 99 step 4" })).toBeVisible();
});

test("Tab passes a graph of 500 nodes by one stop: the node that was selected last, wherever it is", async ({
  page,
}) => {
  await enter(page, "big");
  const focused = page.locator("[data-node]:focus");
  const stops = graph(page).locator('[data-node][tabindex="0"]');
  const zoomIn = page.getByRole("button", { name: "Zoom in" });
  await expect(stops).toHaveCount(1);
  await tabTo(page, node(page, "row 0 step 0"));
  await page.keyboard.press("Tab");
  await expect(focused).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(node(page, "row 0 step 0")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(node(page, "row 0 step 1")).toBeFocused();
  await expect(stops).toHaveCount(1);
  await page.keyboard.press("End");
  const last = node(page, "row 99 step 4");
  await expect(last).toBeFocused();
  await expect(stops).toHaveCount(1);
  await page.keyboard.press("Escape");
  await tabTo(page, zoomIn);
  await tabTo(page, last, "Shift+Tab");

  // A node that was moved out of the view is not in the page. Tab brings it back.
  const box = await graph(page).boundingBox();
  if (!box) throw new Error("the graph has no place");
  await expect(async () => {
    // Nothing is drawn there.
    await page.mouse.move(box.x + box.width - 80, box.y + 120);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 80, box.y + box.height - 240, { steps: 4 });
    await page.mouse.up();
    await expect(last).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await zoomIn.focus();
  await expect(async () => {
    await page.keyboard.press("Shift+Tab");
    await expect(last).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await expect(stops).toHaveCount(1);
});

test("run and read: a message runs the graph, and the log leads to its nodes and moments", async ({ page }) => {
  await enter(page, "agent");
  await typeMessage(page, "refund");
  await isDone(page);
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("textbox", { name: /^Message to/ })).toHaveValue("refund");
  await tabTo(page, steps(page).getByRole("button", { name: /^triage/ }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(node(page, "triage")).toHaveAttribute("aria-pressed", "true");
  await expect(graph(page).getByText("A past state is shown")).toBeVisible();
  await enterOn(page, page.getByRole("button", { name: "Back to newest" }));
  await isDone(page);
});

test("run: the form is filled in and sent, with the settings of the run", async ({ page }) => {
  await enter(page, "slow");
  await tabTo(page, tab(page, "Run"));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(tab(page, "Input")).toHaveAttribute("aria-selected", "true");
  await tabTo(page, details(page).getByRole("textbox", { name: /text/i }));
  await page.keyboard.type("from the form");
  await tabTo(page, details(page).getByRole("checkbox", { name: /Pause before every node/ }));
  await page.keyboard.press("Space");
  await enterOn(page, details(page).getByRole("button", { name: /^Run with this input/ }));
  await expect(status(page)).toHaveText("Paused before before");
  await expect(steps(page).first()).toContainText("from the form");
});

test("stop and ask: a breakpoint, steps, and the answer to a review", async ({ page }) => {
  await enter(page, "agent");
  await tabTo(page, node(page, "triage"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(node(page, "tools")).toBeFocused();
  await page.keyboard.press("b");
  await typeMessage(page, "refund");
  await expect(status(page)).toHaveText("Paused before tools");
  await enterOn(page, details(page).getByRole("button", { name: "Step" }));
  await expect(status(page)).toHaveText("Paused before model");
  await enterOn(page, details(page).getByRole("button", { name: "Continue" }));
  await isDone(page);

  await enter(page, "review");
  await expect(page.getByRole("banner").getByRole("button", { name: /^Run/ })).toBeEnabled();
  await page.keyboard.press("r");
  const question = details(page).getByText("Run send_email?");
  await expect(question).toBeVisible();
  await enterOn(page, details(page).getByRole("button", { name: "Edit", exact: true }));
  await tabTo(page, details(page).getByRole("textbox", { name: /to/i }).first());
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("bob@example.org");
  await enterOn(
    page,
    details(page).getByRole("form", { name: "Send answer" }).getByRole("button", { name: "Send answer" }),
  );
  await expect(details(page).getByText("Run delete_file?")).toBeVisible();
  await enterOn(page, details(page).getByRole("button", { name: "Reject" }));
  await enterOn(page, details(page).getByRole("form", { name: "Reject" }).getByRole("button", { name: "Reject" }));
  await isDone(page);
  await tabTo(page, tab(page, "Run"));
  await page.keyboard.press("ArrowRight");
  await expect(details(page)).toContainText("bob@example.org");
});

test("stop: a running run is cancelled", async ({ page }) => {
  const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
  const asked = { assistant_id: "slow", input: { ms: 60_000 }, stream_resumable: true, stream_mode: ["debug"] };
  await post(server().url, `/threads/${thread_id}/runs`, asked);
  await enter(page, "slow", `?thread=${thread_id}`);
  await enterOn(page, page.getByRole("button", { name: "Stop", exact: true }));
  await expect(status(page)).toHaveText("Stopped");
});

test("go back: the timeline is scrubbed, a state is edited and forked, and branches are compared", async ({ page }) => {
  await enter(page, "agent");
  await typeMessage(page, "refund");
  await isDone(page);
  await tabTo(page, scrubber(page), "Shift+Tab");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(status(page)).toHaveText("Past state");
  const fromHere = page.getByRole("button", { name: /^From here/ });
  await enterOn(page, fromHere);
  await enterOn(page, page.getByRole("button", { name: "Edit the state and fork" }));
  await tabTo(page, details(page).getByRole("textbox", { name: "State" }));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type('{"messages": [], "topic": "by hand');
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('{"messages": [{"type": "human", "content": "by hand"}], "topic": "by hand"}');
  await enterOn(page, details(page).getByRole("button", { name: "Fork with this state" }));
  await expect(status(page)).toHaveText(/^Paused before/);
  await page.keyboard.press("Space");
  await isDone(page);
  await tabTo(page, scrubber(page), "Shift+Tab");
  await page.keyboard.press("Home");
  await expect(status(page)).toHaveText("Past state");
  await enterOn(page, fromHere);
  await enterOn(page, page.getByRole("button", { name: "Compare with the newest" }));
  await expect(details(page).getByRole("region", { name: "Comparison" })).toContainText("by hand");
});

test("hand over: the link is copied, the thread is saved, another one is chosen", async ({ page }) => {
  await enter(page, "agent");
  await typeMessage(page, "refund");
  await isDone(page);
  const first = await threadOf(page);
  const more = page.getByRole("button", { name: "Share and export" });
  await tabTo(page, more, "Shift+Tab");
  await page.keyboard.press("Enter");
  await enterOn(page, page.getByRole("button", { name: "Copy the link to this view" }));
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  const download = page.waitForEvent("download");
  await enterOn(page, page.getByRole("button", { name: "The thread as JSON" }));
  expect((await download).suggestedFilename()).toContain(first);
  await enterOn(page, page.getByRole("button", { name: /choose another$/ }));
  await enterOn(page, page.getByRole("button", { name: "New thread" }));
  await expect(status(page)).toHaveText("No run yet");
  await enterOn(page, page.getByRole("button", { name: /choose another$/ }));
  await enterOn(page, page.getByRole("dialog").getByRole("button", { name: new RegExp(first.slice(-4)) }));
  await isDone(page);
});
