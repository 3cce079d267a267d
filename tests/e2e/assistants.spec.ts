import { expect } from "@playwright/test";
import { ASSISTANTS, list, run, tab, withAssistants } from "./assistants-page.ts";
import { DESKTOP, expectAccessible, expectAccessibleInBothSchemes, hold, open, PHONE, test } from "./fixtures.ts";

const { server, api, make, stored, openAssistant } = withAssistants();

test("an assistant is found, and its prompts are edited under their nodes by mouse", async ({ page }) => {
  const { assistant_id: id } = await make(page, {
    graph_id: "writer",
    name: "Prompted <b>one</b>",
    context: { other: [1] },
  });
  await open(page, `${server().url}${ASSISTANTS}`);
  await page.getByRole("searchbox", { name: "Search assistants by name" }).fill("prompted");
  await expect(list(page).getByRole("link")).toHaveCount(1);
  await list(page)
    .getByRole("link", { name: /Prompted <b>one<\/b>/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`assistant=${id}`));
  await tab(page, "Prompts").click();
  const plan = page.getByRole("region", { name: "Prompts of plan" });
  const write = page.getByRole("region", { name: "Prompts of write" });
  await plan.getByRole("textbox", { name: "Style prompt" }).fill("Be long.");
  await expect(write.getByRole("textbox", { name: "Style prompt" })).toHaveValue("Be long.");
  await expect(list(page)).toContainText("Not saved");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(list(page)).toContainText("v2");
  await expect.poll(async () => (await stored(page, id)).context).toEqual({ other: [1], style_prompt: "Be long." });
  await write.getByRole("textbox", { name: "Style prompt" }).fill("No.");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(plan.getByRole("textbox", { name: "Style prompt" })).toHaveValue("Be long.");
  await page.reload();
  await expect(tab(page, "Prompts")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("link", { name: "Open in Studio" })).toHaveAttribute(
    "href",
    `/deployments/default/studio/writer?assistant=${id}`,
  );

  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Prompted <b>one</b> copy");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Prompted <b>one</b> copy" })).toBeVisible();
  await expect(list(page).getByRole("link")).toHaveCount(2);
});

test("changes that are not saved are there again after the room was left by a link", async ({ page }) => {
  const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Left" });
  await openAssistant(page, id, "&tab=prompts");
  const plan = page.getByRole("region", { name: "Prompts of plan" });
  await plan.getByRole("textbox", { name: "Style prompt" }).fill("Half a thought");
  await page.getByRole("link", { name: "Chat", exact: true }).last().click();
  await expect(page).toHaveURL(/\/chat\?/);
  await page.goBack();
  await expect(list(page)).toContainText("Not saved");
  await expect(plan.getByRole("textbox", { name: "Style prompt" })).toHaveValue("Half a thought");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(list(page)).toContainText("v2");
  await expect.poll(async () => (await stored(page, id)).context).toEqual({ style_prompt: "Half a thought" });
});

test("what is typed while a version is saved stays, and is saved with the next one", async ({ page }) => {
  const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Quick" });
  await openAssistant(page, id, "&tab=prompts");
  const field = page.getByRole("region", { name: "Prompts of plan" }).getByRole("textbox", { name: "Style prompt" });
  await field.fill("One");
  const release = await hold(page, `**/assistants/${id}`, "PATCH");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(page.getByRole("button", { name: "Saving…" })).toBeVisible();
  await field.fill("One and two");
  release();
  await page.getByRole("button", { name: "Save as version 3" }).click();
  await expect(page.getByRole("button", { name: "Discard" })).toBeHidden();
  await expect(field).toHaveValue("One and two");
  expect(await stored(page, id)).toMatchObject({ version: 3, context: { style_prompt: "One and two" } });
});

test("what was being saved when the room was left is saved when it is opened again", async ({ page }) => {
  const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Hasty" });
  await openAssistant(page, id, "&tab=prompts");
  const field = page.getByRole("region", { name: "Prompts of plan" }).getByRole("textbox", { name: "Style prompt" });
  await field.fill("In a hurry");
  const release = await hold(page, `**/assistants/${id}`, "PATCH");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(page.getByRole("button", { name: "Saving…" })).toBeVisible();
  await page.getByRole("link", { name: "Chat", exact: true }).last().click();
  await expect(page).toHaveURL(/\/chat\?/);
  release();
  await expect.poll(() => stored(page, id)).toMatchObject({ version: 2 });
  await page.goBack();
  await expect(field).toHaveValue("In a hurry");
  await expect(list(page).getByRole("link", { name: /Hasty/ })).toContainText("v2");
  await expect(list(page)).not.toContainText("Not saved");
});

test("a graph's own assistant is told apart, and cannot be deleted", async ({ page }) => {
  await open(page, `${server().url}${ASSISTANTS}`);
  await list(page).getByRole("link", { name: "writer v1 · the graph itself" }).click();
  await expect(page.getByText("It belongs to its graph, so it cannot be deleted.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
});

test.describe("an assistant that is not there", () => {
  test.use({ expected: [/404/], viewport: PHONE });
  test("is named, and the list is one click away", async ({ page }) => {
    await openAssistant(page, "6fa9e58d-c0d0-4fa6-a83f-21a9307f5a83");
    await expect(page.getByText("There is no such assistant")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "All assistants" }).click();
    await expect(list(page).getByRole("link", { name: /writer/ })).toBeVisible();
  });
});

test("form and JSON hold the same value, and text that is no JSON stays", async ({ page }) => {
  const context = { tone: "cold", words: "many", unknown: { deep: [null, ""] }, sources: [{ title: "A", url: null }] };
  const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Lossless", context });
  await openAssistant(page, id);
  const group = page.getByRole("group", { name: "Context", exact: true });
  await expect(
    group.getByRole("textbox", { name: "Unknown" }).or(group.getByRole("textbox", { name: "unknown" })),
  ).toHaveValue(/"deep"/);
  await expect(group.getByText("This should be one of the options.").first()).toBeVisible();
  await group.getByRole("radio", { name: "JSON" }).check({ force: true });
  const json = group.getByRole("textbox", { name: "Context as JSON" });
  await expect(json).toContainText('"cold"');
  await json.fill('{"tone": "warm", "sources": []');
  await expect(group.getByRole("alert")).toContainText("Line 1");
  await expect(page.getByRole("button", { name: "Save as version 2" })).toHaveCount(0);
  await group.getByRole("radio", { name: "Form" }).check({ force: true });
  await expect(group.getByRole("alert")).toContainText("The JSON tab holds text that is not JSON");
  await expect(group.getByRole("combobox", { name: "Tone" })).toBeHidden();
  await group.getByRole("radio", { name: "JSON" }).check({ force: true });
  await expect(json).toContainText('"warm"');
  await json.fill('{"tone": "warm", "sources": []}');
  await group.getByRole("radio", { name: "Form" }).check({ force: true });
  await expect(group.getByRole("combobox", { name: "Tone" })).toHaveValue("1");
  await group.getByRole("group", { name: "Sources" }).getByRole("button", { name: "Add item" }).click();
  await group.getByRole("textbox", { name: "Title" }).fill("B");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(page.getByText("Version 2").first()).toBeVisible();
  await expect
    .poll(async () => (await stored(page, id)).context)
    .toMatchObject({ tone: "warm", sources: [{ title: "B" }] });
});

test("every kind of input has a control, and a file becomes a content block", async ({ page }) => {
  const { assistant_id: first } = await make(page, { graph_id: "everything", name: "First" });
  const { assistant_id: second } = await make(page, { graph_id: "writer", name: "Second" });
  await openAssistant(page, first, `&tab=compare&compare=${second}`);
  const form = page.getByRole("group", { name: "Input", exact: true });
  await form.getByRole("textbox", { name: "Topic" }).fill("Tea");
  await form.getByRole("textbox", { name: "Share" }).fill("0.50");
  await form.getByRole("combobox", { name: "Deep" }).selectOption("false");
  await form.getByRole("button", { name: "Set Note to null" }).click();
  await form.getByRole("button", { name: "Unset Any" }).click();
  await form.getByLabel("Kind of Either").selectOption("list");
  const tags = form.getByRole("group", { name: "Tags" });
  for (const text of ["one", "two", "three"]) {
    await tags.getByRole("button", { name: "Add item" }).click();
    await tags.getByRole("textbox").last().fill(text);
  }
  await tags.getByRole("button", { name: "Move Item 3 up" }).click();
  await tags.getByRole("button", { name: "Remove Item 1" }).click();
  await form.getByRole("group", { name: "Places" }).getByRole("button", { name: "Add item" }).click();
  await form.getByRole("textbox", { name: "City" }).fill("Oslo");
  await form.getByRole("textbox", { name: "Key to add to Extra" }).fill("more");
  await page.keyboard.press("Enter");
  await form.getByRole("textbox", { name: "more" }).fill("7");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Run both" }).click();
  await expect(run(page, "First").getByText("Done")).toBeVisible();
  const thread = new URL(page.url()).searchParams.get("threads")?.split("~")[0] ?? "";
  const state = (await (await page.request.get(`${server().url}/threads/${thread}/state`)).json()) as {
    values: unknown;
  };
  expect(state.values).toEqual({
    topic: "Tea!",
    mail: "ada@example.com",
    count: 3,
    share: 0.5,
    deep: false,
    tone: "dry",
    tags: ["three", "two"],
    places: [{ city: "Oslo", nights: 0 }],
    either: [],
    note: null,
    extra: { more: 7 },
  });

  await openAssistant(page, second, `&tab=compare&compare=${first}`);
  await page.getByLabel("File for message 1").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Buy tea"),
  });
  await expect(page.getByRole("textbox", { name: "Text of block 1 of message 1" })).toHaveValue(
    "notes.txt:\n\nBuy tea",
  );
  await page.getByLabel("File for message 1").setInputFiles({
    name: "dot.png",
    mimeType: "image/png",
    buffer: Buffer.from([1, 2, 3]),
  });
  await page
    .getByRole("group", { name: "Input", exact: true })
    .getByRole("radio", { name: "JSON" })
    .check({ force: true });
  await expect(page.getByRole("textbox", { name: "Input as JSON" })).toContainText("data:image/png;base64,AQID");
});

test("a graph that is chosen shows its own fields, and the bar that saves covers the end of the pane", async ({
  page,
}) => {
  await open(page, `${server().url}${ASSISTANTS}?assistant=new`);
  const context = page.getByRole("group", { name: "Context", exact: true });
  const graph = page.getByLabel("Graph", { exact: true });
  await graph.selectOption("everything");
  await expect(context.getByRole("textbox", { name: "Context as JSON" })).toBeVisible();
  await graph.focus();
  await graph.selectOption("writer");
  await expect(context.getByRole("textbox", { name: "Plan prompt" })).toBeVisible();
  await expect(graph).toBeFocused();
  await expect(page.getByText("are those of the context")).toBeVisible();
  const bar = await page.getByRole("button", { name: "Create" }).locator("..").boundingBox();
  expect(Math.round((bar?.y ?? 0) + (bar?.height ?? 0))).toBe(DESKTOP.height);
});

test("of a prompt that has changed in one line, the difference shows that line alone", async ({ page }) => {
  const context = { plan_prompt: "You plan.\nBe brief.\nNever guess." };
  const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Lined", context });
  await api(page, `/assistants/${id}`, { context: { plan_prompt: "You plan.\nBe kind.\nNever guess." } }, "PATCH");
  await openAssistant(page, id, "&tab=versions");
  const version = page.getByRole("region", { name: "Version 2" });
  await expect(version.getByText("Removed: Be brief.")).toBeVisible();
  await expect(version.getByText("Added: Be kind.")).toBeVisible();
  await expect(version.getByText(/(Removed|Added): /)).toHaveCount(2);
  await expect(version.getByText("Never guess.", { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
});

for (const viewport of [DESKTOP, PHONE]) {
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport });

    test("axe finds nothing in the list, the forms and the versions", async ({ page }) => {
      const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Axed", context: { sources: [{}] } });
      await api(page, `/assistants/${id}`, { context: { words: 9 } }, "PATCH");
      await open(page, `${server().url}${ASSISTANTS}`);
      await expect(list(page).getByRole("link", { name: /Axed/ }).first()).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await openAssistant(page, id);
      await expect(page.getByRole("group", { name: "Context", exact: true })).toBeVisible();
      await expect(page.getByRole("textbox", { name: "Metadata as JSON" })).toBeVisible();
      await expect(page.locator(".cm-content").last()).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      for (const name of ["Prompts", "Versions", "Side by side"]) {
        await tab(page, name).click();
        await expect(page.getByRole("tabpanel")).toBeVisible();
        await expectAccessibleInBothSchemes(page);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    });
  });
}
