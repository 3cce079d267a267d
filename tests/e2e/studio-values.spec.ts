/** Large and unusual values in the Studio: folded, loaded on demand, and shown as they are, always as text. */
import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";
import { post } from "./rooms.ts";
import {
  details,
  enterAt,
  isDone,
  node,
  run,
  scrubber,
  status,
  steps,
  tab,
  threadOf,
  withStudio,
  writeInput,
} from "./studio-page.ts";

const { server, enter } = withStudio();

test("values of 10 MB are folded, and loaded on demand", async ({ page }) => {
  test.slow();
  await enter(page, "heavy", "?tab=input");
  await writeInput(page, { times: 10 });
  await run(page);
  // The server writes and sends the state several times.
  await expect(status(page)).toHaveText("Done", { timeout: 80_000 });
  await tab(page, "Run").click();
  await expect(steps(page).last()).toContainText("All work and no play.");
  // The log shows the beginning of a value, not all of it.
  expect((await steps(page).last().innerText()).length).toBeLessThan(5_000);
  await tab(page, "State").click();
  const rows = details(page).getByRole("region", { name: "rows" });
  await expect(rows.getByText("This value is large.")).toBeVisible();
  await expect(rows.getByRole("tree")).toHaveCount(0);
  await scrubber(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(status(page)).toHaveText("Past state");
  await page.keyboard.press("ArrowRight");
  await isDone(page);
  await node(page, "fill").click();
  await expect(details(page).getByRole("heading", { name: "fill" })).toBeVisible();

  await tab(page, "State").click();
  await rows.getByRole("button", { name: "Show it" }).click();
  await expect(rows).toContainText("[0 … 39999]");
  const text = details(page).getByRole("region", { name: "text" });
  await text.getByRole("button", { name: "Show it" }).click();
  await expect(text).toContainText("All work and no play.");

  // A page that opens the thread is usable, too.
  await enterAt(page, server().url, "heavy", `?thread=${threadOf(page)}`);
  await isDone(page);
  await expect(steps(page).last()).toContainText("All work and no play.");
});

test("messages of unknown types are shown as messages, or as JSON, and nothing is left out", async ({ page }) => {
  await enter(page, "foreign");
  await run(page);
  await isDone(page);
  await expect(steps(page).last()).toContainText("I disagree.");
  await expect(steps(page).last()).toContainText("STOP");
  await tab(page, "State").click();
  const messages = details(page).getByRole("region", { name: "messages" });
  for (const text of ["hello", "I disagree.", "telegram", "STOP", "hologram", "half known", "not even an object"])
    await expect(messages).toContainText(text);
});

test("a graph without a schema takes any JSON", async ({ page }) => {
  await enter(page, "untyped", "?tab=input");
  await writeInput(page, { anything: [1, { deep: null }] });
  await run(page);
  await isDone(page);
  await tab(page, "State").click();
  await expect(details(page)).toContainText('"object"');
});

test("a state that its schema denies is shown as it is, edited, and put back", async ({ page }) => {
  await enter(page, "liar", "?tab=input");
  await writeInput(page, { count: "not a number", list: 4 });
  await details(page).getByRole("radio", { name: "Form" }).check({ force: true });
  await expect(details(page).getByText("This should be a number.").first()).toBeVisible();
  await run(page);
  await isDone(page);
  await tab(page, "State").click();
  for (const text of ['"a text"', '"no list"', "null"]) await expect(details(page)).toContainText(text);
  await details(page).getByRole("button", { name: "Edit" }).click();
  await details(page).getByRole("textbox", { name: "State" }).fill('{"count": [], "list": "no list"}');
  await expect(details(page).getByText("An update cannot remove keys (messages)")).toBeVisible();
});

test("a state that is no object is shown, and its graph runs", async ({ page }) => {
  await enter(page, "sum", "?tab=input");
  await writeInput(page, [1, 2, 3]);
  await run(page);
  await isDone(page);
  await tab(page, "State").click();
  await expect(details(page)).toContainText("6");
  await page.reload();
  await expect(details(page)).toContainText("6");
});

test("hostile names and contents are text in every tab, in the log, and in the list of threads", async ({ page }) => {
  const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {
    metadata: { title: "<img src=x onerror=alert(1)> title" },
  });
  const asked = { assistant_id: "hostile", input: {}, stream_mode: ["debug"], stream_resumable: true };
  await post(server().url, `/threads/${thread_id}/runs/wait`, asked);
  const title = await page.title();
  await enter(page, "hostile", `?thread=${thread_id}&node=${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
  await isDone(page);
  await expect(steps(page).first()).toBeVisible();
  for (const name of ["State", "Input", "Node", "Raw", "Run"]) {
    await tab(page, name).click();
    await expect(details(page).getByRole("tabpanel")).not.toHaveText("");
    if (name !== "Input") await expect(details(page)).toContainText("<img src=x");
  }
  await page.getByRole("button", { name: /choose another$/ }).click();
  await expect(page.getByRole("dialog")).toContainText("<img src=x onerror=alert(1)> title");
  await expect(page.locator("img[src=x], script:text('owned'), b")).toHaveCount(0);
  expect(await page.title()).not.toContain("owned");
  expect(title).not.toContain("owned");
  expect(await page.evaluate(() => "polluted" in Object.prototype)).toBe(false);
});
