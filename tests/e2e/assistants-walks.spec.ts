/** Walks the path "try variants" with one device at a time. By mouse, keys only type text into fields. */
import { expect, type Locator, type Page } from "@playwright/test";
import { ASSISTANTS, list, run, tab, withAssistants } from "./assistants-page.ts";
import { expectAccessible, open, test } from "./fixtures.ts";
import { tabTo } from "./studio-page.ts";

const { server, make, stored } = withAssistants();

const messages = (page: Page): Locator => page.getByRole("group", { name: "Messages" });
const textOf = (page: Page, place: number): Locator =>
  messages(page).getByRole("textbox", { name: `Text of message ${place}` });
const difference = (page: Page): Locator => page.getByRole("region", { name: "Difference of the final states" });
const idOf = (page: Page): string => new URL(page.url()).searchParams.get("assistant") ?? "";

/** Clicks into a field, and types. */
async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await field.click();
  await page.keyboard.type(text);
}

/** Makes two assistants that answer in different tones. */
async function makeTwo(page: Page, left: string, right: string): Promise<string> {
  await make(page, { graph_id: "writer", name: left, context: { tone: "warm" } });
  const { assistant_id } = await make(page, { graph_id: "writer", name: right, context: { tone: "dry" } });
  return assistant_id;
}

async function expectBothRan(page: Page, left: string, right: string): Promise<void> {
  await expect(run(page, left)).toContainText("Written in a warm tone.");
  await expect(run(page, right)).toContainText("Written in a dry tone.");
  await expect(run(page, left).getByText("Done")).toBeVisible();
  await expect(run(page, left)).toContainText(/\d m?s/);
  await expect(difference(page)).toContainText("Written in a warm tone.");
  await expect(difference(page).getByRole("listitem")).toHaveCount(1);
}

test("an assistant is made, changed, set back and deleted with the keyboard alone", async ({ page }) => {
  await open(page, `${server().url}/deployments/default`);
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page).toHaveURL(new RegExp(`${ASSISTANTS}$`));
  await page.getByRole("button", { name: "New assistant" }).press("Enter");
  await expect(page.getByRole("button", { name: "Create" })).toBeDisabled();
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.type("By keys");
  await page.getByRole("textbox", { name: "Plan prompt" }).focus();
  await page.keyboard.type("Plan.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Stop.");
  await page.getByRole("combobox", { name: "Tone" }).focus();
  await page.keyboard.press("w");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("heading", { name: "By keys" })).toBeVisible();
  const id = idOf(page);
  await expect
    .poll(() => stored(page, id))
    .toMatchObject({
      name: "By keys",
      version: 1,
      context: { plan_prompt: "Plan.\nStop.", tone: "warm" },
    });

  await page.getByRole("textbox", { name: "Words" }).focus();
  await page.keyboard.type("12x");
  await expect(page.getByText("This should be a whole number.").first()).toBeVisible();
  await page.keyboard.press("Backspace");
  await expect(page.getByText("This should be a whole number.")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText("Version 2").first()).toBeVisible();
  await expect.poll(() => stored(page, id)).toMatchObject({ version: 2, context: { words: 12 } });

  await tab(page, "Settings").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/tab=versions/);
  const second = page.getByRole("region", { name: "Version 2" });
  await expect(second).toContainText("context.words");
  await page.getByRole("button", { name: /^Version 1/ }).press("Enter");
  await expect(page).toHaveURL(/version=1/);
  await page.getByRole("button", { name: "Make it active" }).press("Enter");
  await expect(page.getByRole("button", { name: /^Version 1 Active/ })).toBeVisible();
  await expect.poll(() => stored(page, id)).toMatchObject({ context: { plan_prompt: "Plan.\nStop.", tone: "warm" } });

  await page.getByRole("button", { name: "Delete" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete this assistant?" });
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  // An open dialog hides the list from roles.
  await expect(dialog).toHaveCount(0);
  await expect(list(page).getByRole("link", { name: /By keys/ })).toHaveCount(0);
  expect((await page.request.get(`${server().url}/assistants/${id}`)).status()).toBe(404);
});

test("an assistant is made, changed, compared, set back and deleted by mouse alone", async ({ page }) => {
  await open(page, `${server().url}/deployments/default`);
  await page.getByRole("navigation").getByRole("link", { name: "Assistants" }).click();
  await expect(page).toHaveURL(new RegExp(`${ASSISTANTS}$`));
  await page.getByRole("button", { name: "New assistant" }).click();
  await typeInto(page, page.getByLabel("Name", { exact: true }), "By mouse");
  await typeInto(page, page.getByRole("textbox", { name: "Plan prompt" }), "Plan.");
  await page.getByRole("combobox", { name: "Tone" }).selectOption({ label: "warm" });
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "By mouse" })).toBeVisible();
  const id = idOf(page);
  const first = { plan_prompt: "Plan.", tone: "warm" };
  await expect.poll(() => stored(page, id)).toMatchObject({ name: "By mouse", version: 1, context: first });

  await typeInto(page, page.getByRole("textbox", { name: "Words" }), "12");
  const context = page.getByRole("group", { name: "Context", exact: true });
  await context.getByRole("button", { name: "Add Sources" }).click();
  await context.getByRole("group", { name: "Sources" }).getByRole("button", { name: "Add item" }).click();
  await typeInto(page, context.getByRole("textbox", { name: "Title" }), "Tea");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(list(page).getByRole("link", { name: /By mouse/ })).toContainText("v2");
  await expect
    .poll(() => stored(page, id))
    .toMatchObject({ context: { ...first, words: 12, sources: [{ title: "Tea" }] } });
  await context.getByRole("combobox", { name: "Tone" }).selectOption({ label: "dry" });
  await page.getByRole("button", { name: "Save as version 3" }).click();
  await expect(list(page).getByRole("link", { name: /By mouse/ })).toContainText("v3");

  await tab(page, "Versions").click();
  const third = page.getByRole("region", { name: "Version 3" });
  await expect(third).toContainText("context.tone");
  await expect(third).not.toContainText("context.words");
  await page.getByRole("button", { name: /^Version 1/ }).click();
  const oldest = page.getByRole("region", { name: "Version 1" });
  await expect(oldest).toContainText("Against the active version 3");
  await expect(oldest).toContainText("context.words");
  await oldest.getByRole("button", { name: "Make it active" }).click();
  await expect(page.getByRole("button", { name: /^Version 1 Active/ })).toBeVisible();
  await expect.poll(async () => (await stored(page, id)).context).toEqual(first);

  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this assistant?" });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(list(page).getByRole("link", { name: /By mouse/ })).toHaveCount(0);
  expect((await page.request.get(`${server().url}/assistants/${id}`)).status()).toBe(404);
});

test("two assistants run side by side on one input by mouse alone, and a reload shows both again", async ({ page }) => {
  await makeTwo(page, "Left", "Right");
  await open(page, `${server().url}${ASSISTANTS}`);
  await list(page).getByRole("link", { name: /^Left/ }).click();
  await tab(page, "Side by side").click();
  await page.getByLabel("Compare Left with").selectOption({ label: "Right (v1)" });
  await typeInto(page, textOf(page, 1), "About tea");
  await messages(page).getByRole("button", { name: "Add message to Messages" }).click();
  await messages(page).getByRole("combobox", { name: "Role of message 2" }).selectOption({ label: "Human" });
  await typeInto(page, textOf(page, 2), "Which tea?");
  await messages(page).getByRole("button", { name: "Move Message 2 up" }).click();
  await expect(textOf(page, 1)).toHaveValue("Which tea?");
  await page.getByRole("button", { name: "Run both" }).click();
  await expectBothRan(page, "Left", "Right");
  const studio = page.getByRole("link", { name: "Open in Studio: run of Left" });
  await expect(studio).toHaveAttribute("href", /\/studio\/writer\?thread=[\w-]{36}$/);
  await expectAccessible(page);
  await page.reload();
  await expect(run(page, "Right")).toContainText("Written in a dry tone.");
  await expect(run(page, "Left").getByText("Done")).toBeVisible();
  await page.getByRole("link", { name: "Open in Chat: run of Right" }).click();
  await expect(page.getByRole("article").first()).toContainText("Which tea?");
  await expect(page.getByRole("article").last()).toContainText("Written in a dry tone.");
});

test("two assistants run side by side on one input with the keyboard alone", async ({ page }) => {
  const other = await makeTwo(page, "East", "West");
  await open(page, `${server().url}/deployments/default`);
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await tabTo(page, list(page).getByRole("link", { name: /^East/ }));
  await page.keyboard.press("Enter");
  await tabTo(page, tab(page, "Settings"));
  for (const _ of ["Prompts", "Versions", "Side by side"]) await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/tab=compare/);
  await tabTo(page, page.getByLabel("Compare East with"));
  await page.keyboard.type("West");
  await expect(page).toHaveURL(new RegExp(`compare=${other}`));
  await tabTo(page, textOf(page, 1));
  await page.keyboard.type("About tea");
  await tabTo(page, messages(page).getByRole("button", { name: "Add message to Messages" }));
  await page.keyboard.press("Enter");
  await expect(messages(page).getByRole("combobox", { name: "Role of message 2" })).toHaveValue("ai");
  await tabTo(page, textOf(page, 2));
  await page.keyboard.type("Which tea?");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(textOf(page, 1)).toHaveValue("Which tea?");
  await expect(textOf(page, 1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(textOf(page, 1)).toHaveValue("Which tea?\n");
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expectBothRan(page, "East", "West");
  await tabTo(page, page.getByRole("link", { name: "Open in Chat: run of West" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article").last()).toContainText("Written in a dry tone.");
});
