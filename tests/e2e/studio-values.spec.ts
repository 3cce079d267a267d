/** Large and unusual values in the Studio: folded, loaded on demand, and shown as they are, always as text. */
import { expect } from "@playwright/test";
import { open, test } from "./fixtures.ts";
import { post } from "./rooms.ts";
import {
  details,
  enterAt,
  inputField,
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
  send,
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
  await expect(rows.getByText("This value is large")).toBeVisible();
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
  await enterAt(page, server().url, "heavy", `?thread=${await threadOf(page)}`);
  await isDone(page);
  await expect(steps(page).last()).toContainText("All work and no play.");
});

test("a thread with a state of 4 MB is opened with less than 1 MB, and a value comes when it is asked for", async ({
  page,
}) => {
  test.slow();
  const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
  await post(server().url, `/threads/${thread_id}/runs/wait`, { assistant_id: "heavy", input: { times: 4 } });
  let bytes = 0;
  page.on("response", async (response) => {
    if (response.url().includes("/agents/")) bytes += (await response.body().catch(() => "")).length;
  });
  await enter(page, "heavy", `?thread=${thread_id}`);
  // The server reads the states several times.
  await expect(status(page)).toHaveText("Done", { timeout: 80_000 });
  await expect(steps(page).last()).toContainText("MB, not loaded");
  await tab(page, "State").click();
  const large = (name: string) => page.getByRole("main").getByRole("region", { name, exact: true });
  await expect(details(page).getByRole("region", { name: "Changed by this step" })).toContainText(
    /rows: added, \d.* MB/,
  );
  await expect(large("rows")).toContainText(/This value is large \(\d.* MB\)/, {
    timeout: 60_000,
  });
  for (const view of ["threads", "runs"]) {
    const [run] = (await (await fetch(`${server().url}/threads/${thread_id}/runs`)).json()) as { run_id: string }[];
    await open(
      page,
      `${server().url}/deployments/default/${view}/${view === "runs" ? `${run?.run_id}?tab=output` : thread_id}`,
    );
    await expect(large("rows")).toContainText("This value is large", { timeout: 60_000 });
    await expect(large("State").or(large("Output"))).toContainText("times");
  }
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(1_000_000);
  await large("text").getByRole("button", { name: "Show it" }).click();
  await expect(large("text").first()).toContainText("All work and no play.");

  await enter(page, "heavy", `?thread=${thread_id}&tab=state`);
  await large("rows").getByRole("button", { name: "Show it" }).click();
  await expect(large("rows")).toContainText("[0 … ");
});

test("messages of unknown types are shown as messages, or as JSON, and nothing is left out", async ({ page }) => {
  await enter(page, "foreign");
  await send(page, "hello");
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

test("a selection in an editor is kept when the fields around it change at once", async ({ page }) => {
  await enter(page, "liar", "?tab=input");
  await writeInput(page, { count: 1, list: [] });
  await run(page);
  await isDone(page);
  await tab(page, "State").click();
  await details(page).getByRole("button", { name: "Edit" }).click();
  await expect(details(page).locator(".cm-content")).toBeVisible();
  const selected = await details(page).evaluate(selectAndChange);
  expect(JSON.parse(selected)).toMatchObject({ list: "no list" });
});

/** Selects the text of the editor, and chooses a node in the same task. Returns what is selected in the end. */
async function selectAndChange(panel: HTMLElement | SVGElement): Promise<string> {
  const content = panel.querySelector<HTMLElement>(".cm-content");
  const choice = panel.querySelector("select");
  if (!content || !choice) throw new Error("the editor is not there");
  content.focus();
  // Until the browser has told the selection, the editor does not know of it.
  getSelection()?.selectAllChildren(content);
  choice.selectedIndex = 1;
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  return getSelection()?.toString() ?? "";
}

test("a state that is no object is shown, and its graph runs", async ({ page }) => {
  await enter(page, "sum", "?tab=input");
  // The input begins as an empty list, as the schema says, and its form has nothing to object to.
  await details(page).getByRole("radio", { name: "JSON" }).check({ force: true });
  await expect(inputField(page)).toHaveText("[]");
  await writeInput(page, [1, 2, 3]);
  await run(page);
  await isDone(page);
  await expect(node(page, "add up")).toHaveAccessibleName(/done/);
  await expect(details(page).getByText("not in this graph")).toBeHidden();
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
