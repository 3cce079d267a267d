/** Walks the path "remember" with one device at a time. By mouse, keys only type text into fields. */
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { DESKTOP, open, test, withServer } from "./fixtures.ts";
import { editor, node, put, rows, STORE, valueOf } from "./store-page.ts";
import { tabTo } from "./studio-page.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({ app: join(import.meta.dirname, "apps/rooms") }));
const fold = (page: Page, name: string): Locator => node(page, name).locator("[aria-hidden]").first();
const byWords = (page: Page): Locator => page.getByRole("searchbox", { name: "Search items" });
const byMeaning = (page: Page): Locator => page.getByRole("searchbox", { name: "Search by meaning" });
const valueTree = (page: Page, key: string): Locator => page.getByRole("tree", { name: `Value of ${key}` });

/** The line of the value with this text, which the plain text area does not have that stands there before the editor. */
const lineOf = (page: Page, text: string): Locator => editor(page).locator("div").filter({ hasText: text });

/** Selects what a field holds by three clicks, and types over it. */
async function typeOver(page: Page, field: Locator, text: string): Promise<void> {
  await field.click({ clickCount: 3 });
  await page.keyboard.type(text);
}

test("the store is read, searched, added to, changed and deleted from by mouse alone", async ({ page }) => {
  const { url } = server();
  await put(page, url, ["mouse", "ada", "notes"], "first", { text: "aaa" });
  await put(page, url, ["mouse", "ada", "notes"], "second", { text: "bbb" });
  await put(page, url, ["mouse", "bob"], "third", { text: "ab" });
  await open(page, `${url}/deployments/default`);
  await page.getByRole("navigation").getByRole("link", { name: "Store" }).click();
  await expect(page).toHaveURL(new RegExp(`${STORE}$`));
  await fold(page, "mouse").click();
  await expect(node(page, "bob")).toBeVisible();
  await expect(node(page, "notes")).toHaveCount(0);
  await fold(page, "ada").click();
  await expect(node(page, "notes")).toBeVisible();
  await fold(page, "mouse").click();
  await expect(node(page, "bob")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`${STORE}$`));
  await fold(page, "mouse").click();
  await expect(node(page, "notes")).toBeVisible();
  await node(page, "mouse").click();
  await expect(rows(page)).toHaveCount(3);

  await byWords(page).click();
  await page.keyboard.type("BBB");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("second");
  await page.getByRole("group", { name: "Search by" }).getByText("Meaning").click();
  await typeOver(page, byMeaning(page), "aa");
  await expect(rows(page).first()).toContainText("score 1.000");
  await expect(rows(page).first()).toContainText("first");
  await rows(page).filter({ hasText: "second" }).click();
  await expect(valueTree(page, "second")).toContainText('"bbb"');

  await page.getByRole("button", { name: "Edit" }).click();
  await typeOver(page, lineOf(page, '"text"'), '"text": "abb"');
  await page.getByRole("button", { name: "Save" }).click();
  await expect(valueTree(page, "second")).toContainText('"abb"');
  expect(await valueOf(page, url, ["mouse", "ada", "notes"], "second")).toEqual({ text: "abb" });

  await page.getByRole("button", { name: "Add item" }).click();
  await typeOver(page, page.getByRole("textbox", { name: "Namespace" }), "mouse.carl");
  await page.getByRole("textbox", { name: "Key" }).click();
  await page.keyboard.type("fourth");
  await typeOver(page, editor(page), '{"text": "b"}');
  await page.getByRole("form", { name: "New item" }).getByRole("button", { name: "Add item" }).click();
  await expect(valueTree(page, "fourth")).toContainText('"b"');
  await expect(node(page, "carl")).toBeVisible();
  expect(await valueOf(page, url, ["mouse", "carl"], "fourth")).toEqual({ text: "b" });

  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this item?" });
  await expect(dialog).toContainText("fourth");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(node(page, "carl")).toHaveCount(0);
  expect(await valueOf(page, url, ["mouse", "carl"], "fourth")).toBeNull();
});

test("an item is found by meaning with the keyboard alone", async ({ page }) => {
  const { url } = server();
  await put(page, url, ["meant"], "apple", { text: "aaa" });
  await put(page, url, ["meant"], "berry", { text: "bbb" });
  await open(page, `${url}/deployments/default`);
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await tabTo(page, node(page, "All namespaces"));
  while (!(await node(page, "meant").evaluate((element) => element === document.activeElement)))
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/namespace=meant/);
  await tabTo(page, page.getByRole("radio", { name: "Text" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Meaning" })).toBeChecked();
  await tabTo(page, byMeaning(page));
  await page.keyboard.type("bb");
  await expect(rows(page).first()).toContainText("score 1.000");
  await expect(rows(page).first()).toContainText("berry");
  await tabTo(page, page.getByRole("listbox", { name: "Items" }));
  await page.keyboard.press("ArrowDown");
  await expect(valueTree(page, "berry")).toContainText('"bbb"');
  await page.keyboard.press("ArrowDown");
  await expect(valueTree(page, "apple")).toContainText('"aaa"');
});

test("the editor goes on where the text area before it was left", async ({ page }) => {
  const { url } = server();
  await put(page, url, ["early"], "typed", { text: "old" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("cm-gutters")) await released;
    await route.fulfill({ response });
  });
  await open(page, `${url}${STORE}?namespace=early&key=typed&edit=item`);
  await editor(page).fill('{"text": fals');
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  release();
  await expect(lineOf(page, "fals")).toBeVisible();
  await expect(editor(page)).not.toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type("e}");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(valueTree(page, "typed")).toContainText("false");
});
