/** Tests that the store's page does not write over an item that is not the one that its reader has seen. */
import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, open, test, withServer } from "./fixtures.ts";
import { editor, put, rows, STORE, valueOf } from "./store-page.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({}));
const form = (page: Page) => page.getByRole("form");
const press = (page: Page, name: string) => form(page).getByRole("button", { name, exact: true }).click();

async function openToEdit(page: Page, key: string): Promise<void> {
  const { url } = server();
  await put(page, url, ["edited"], key, { text: "before" });
  await open(page, `${url}${STORE}?namespace=edited`);
  await rows(page).filter({ hasText: key }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await editor(page).fill('{"text": "mine"}');
}

test("adding an item with the key of another one opens or replaces that one only by a press of its own", async ({
  page,
}) => {
  const { url } = server();
  await put(page, url, ["taken"], "one", { text: "theirs" });
  await open(page, `${url}${STORE}?namespace=taken&edit=new`);
  const key = form(page).getByRole("textbox", { name: "Key" });
  await key.fill("one");
  await editor(page).fill('{"text": "mine"}');
  await press(page, "Add item");
  await expect(key).toHaveAccessibleDescription("There is already an item with this key.");
  await expect(key).toBeFocused();
  await press(page, "Add item");
  await expect(key).toBeFocused();
  expect(await valueOf(page, url, ["taken"], "one")).toEqual({ text: "theirs" });
  await expectAccessible(page);

  await key.fill("two");
  await expect(form(page).getByRole("button", { name: "Replace it" })).toHaveCount(0);
  await press(page, "Add item");
  await expect(page.getByRole("tree", { name: "Value of two" })).toContainText('"mine"');

  await page.getByRole("button", { name: "Add item" }).click();
  await key.fill("one");
  await editor(page).fill('{"text": "mine"}');
  await press(page, "Add item");
  await press(page, "Open it");
  await expect(page.getByRole("tree", { name: "Value of one" })).toContainText('"theirs"');

  await page.getByRole("button", { name: "Add item" }).click();
  await key.fill("one");
  await editor(page).fill('{"text": "mine"}');
  await press(page, "Add item");
  await press(page, "Replace it");
  await expect(page.getByRole("tree", { name: "Value of one" })).toContainText('"mine"');
  expect(await valueOf(page, url, ["taken"], "one")).toEqual({ text: "mine" });
});

test("an item that was changed while it is edited is shown, and replaced only by a press of its own", async ({
  page,
}) => {
  const { url } = server();
  await openToEdit(page, "changed");
  await put(page, url, ["edited"], "changed", { text: "theirs" });
  await press(page, "Save");
  await expect(page.getByText("This item was changed meanwhile")).toBeVisible();
  await expect(editor(page)).toContainText('"mine"');
  await press(page, "Show theirs");
  await expect(page.getByRole("tree", { name: "Stored value of changed" })).toContainText('"theirs"');
  await expectAccessible(page);
  await put(page, url, ["edited"], "changed", { text: "later" });
  await press(page, "Save mine");
  await expect(page.getByRole("tree", { name: "Stored value of changed" })).toContainText('"later"');
  expect(await valueOf(page, url, ["edited"], "changed")).toEqual({ text: "later" });
  await press(page, "Save mine");
  await expect(page.getByRole("tree", { name: "Value of changed", exact: true })).toContainText('"mine"');
  expect(await valueOf(page, url, ["edited"], "changed")).toEqual({ text: "mine" });
});

test("who cancels after a change by another one sees that change", async ({ page }) => {
  await openToEdit(page, "kept");
  await put(page, server().url, ["edited"], "kept", { text: "theirs" });
  await press(page, "Save");
  await press(page, "Cancel");
  await expect(page.getByRole("tree", { name: "Value of kept", exact: true })).toContainText('"theirs"');
  await expect(page.getByRole("region", { name: "Found items" })).toContainText("theirs");
});

test("an item that was deleted while it is edited is made again only by a press of its own", async ({ page }) => {
  const { url } = server();
  await openToEdit(page, "gone");
  await page.request.delete(`${url}/store/items`, { data: { namespace: ["edited"], key: "gone" } });
  await press(page, "Save");
  await expect(page.getByText("This item was deleted meanwhile")).toBeVisible();
  expect(await valueOf(page, url, ["edited"], "gone")).toBeNull();
  await press(page, "Make it again");
  await expect(page.getByRole("tree", { name: "Value of gone" })).toContainText('"mine"');
  expect(await valueOf(page, url, ["edited"], "gone")).toEqual({ text: "mine" });
});
