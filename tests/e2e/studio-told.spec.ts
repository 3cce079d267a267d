/** What the studio shows of runs whose events tell little, and of forks. */
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { post } from "./rooms.ts";
import { details, graph, isDone, node, scrubber, send, status, steps, tab, withStudio } from "./studio-page.ts";

const { server, enter } = withStudio();

/** Runs a graph as the chat does, whose streams tell no tasks. Returns the id of the thread. */
async function runAsChat(assistant_id: string, input: object): Promise<string> {
  const { url } = server();
  const { thread_id } = await post<{ thread_id: string }>(url, "/threads", { metadata: { graph_id: assistant_id } });
  const stream_mode = ["values", "messages-tuple"];
  await post(url, `/threads/${thread_id}/runs/wait`, { assistant_id, input, stream_mode, stream_resumable: true });
  return thread_id;
}

/** Returns the nodes that have run, with their statuses as screen readers hear them. */
const statuses = (page: Page) =>
  graph(page)
    .locator("[data-node]")
    .evaluateAll((all) => all.map((one) => (one.getAttribute("aria-label") ?? "").split(", ").slice(0, 2).join(" ")));

test("a run whose events tell no tasks is shown from the states of its thread", async ({ page }) => {
  const thread = await runAsChat("agent", { messages: [{ role: "user", content: "refund" }] });
  await enter(page, "agent", `?thread=${thread}`);
  await isDone(page);
  await expect.poll(() => statuses(page)).toEqual(["triage done", "model done", "tools done", "answer done"]);
  await expect(steps(page)).toHaveCount(5);
});

test("a run of another client that waits for an answer waits at its node, and not at the end", async ({ page }) => {
  const thread = await runAsChat("review", {});
  await enter(page, "review", `?thread=${thread}`);
  await expect(status(page)).toHaveText("Waiting for you");
  await expect.poll(async () => (await statuses(page)).join()).toContain("interrupted");
  await expect(graph(page).getByText("end", { exact: true })).not.toHaveClass(/bg-ok-soft/);
});

test("a fork shows what led to it and what it did, and a reload shows the same", async ({ page }) => {
  await enter(page, "agent");
  await send(page, "refund");
  await isDone(page);
  await scrubber(page).focus();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: /^From here/ }).click();
  await page.getByRole("button", { name: "Edit the state and fork" }).click();
  const editor = details(page).getByRole("textbox", { name: "State" });
  await editor.fill('{"messages": [], "topic": "parcels"}');
  await details(page).getByRole("button", { name: "Fork with this state" }).click();
  await expect(status(page)).toHaveText("Paused before tools");
  const before = ["triage done", "model done", "tools waiting", "answer"];
  await expect.poll(() => statuses(page)).toEqual(before);
  await page.reload();
  await expect.poll(() => statuses(page)).toEqual(before);
  await page.getByRole("button", { name: "Continue Space" }).click();
  await isDone(page);
  const after = ["triage done", "model done", "tools done", "answer done"];
  await expect.poll(() => statuses(page)).toEqual(after);
  await tab(page, "State").click();
  const shown = await steps(page).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  await page.reload();
  await isDone(page);
  await expect.poll(() => statuses(page)).toEqual(after);
  expect(await steps(page).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual(shown);
});

test("a run that went on from a breakpoint and has ended has no edge on its way", async ({ page }) => {
  await enter(page, "agent");
  await node(page, "tools").focus();
  await page.keyboard.press("b");
  await send(page, "refund");
  await expect(status(page)).toHaveText("Paused before tools");
  await page.getByRole("button", { name: "Continue Space" }).click();
  await isDone(page);
  await expect(graph(page).locator("[data-edge=taken]").first()).toBeAttached();
  await expect(graph(page).locator("[data-edge=newest]")).toHaveCount(0);
});
