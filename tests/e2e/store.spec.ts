import { join } from "node:path";
import { expect } from "@playwright/test";
import { DESKTOP, expectAccessible, expectAccessibleInBothSchemes, open, PHONE, test, withServer } from "./fixtures.ts";
import { editor, node, put, rows, STORE, tree, valueOf } from "./store-page.ts";

test.use({ viewport: DESKTOP });

test.describe("of an application with an index", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/rooms") }));

  test("is read, changed and deleted from with the keyboard alone", async ({ page }) => {
    const { url } = server();
    await put(page, url, ["keys", "ada", "notes"], "first", { text: "one" });
    await put(page, url, ["keys", "ada", "notes"], "second", { text: "two", list: [1, 2] });
    await open(page, `${url}/deployments/default`);
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await expect(page).toHaveURL(new RegExp(`${STORE}$`));
    await expect(node(page, "keys")).toBeVisible();
    await node(page, "All namespaces").focus();
    await page.keyboard.press("ArrowDown");
    await expect(node(page, "keys")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(node(page, "ada")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/namespace=keys\.ada\.notes/);
    await expect(node(page, "notes")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowLeft");
    await expect(node(page, "ada")).toBeFocused();

    await page.getByRole("listbox", { name: "Items" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(page).toHaveURL(/key=second/);
    const json = page.getByRole("tree", { name: "Value of second" });
    await expect(json).toContainText('"two"');
    await page.keyboard.press("Enter");
    await page.reload();
    await expect(json).toContainText('"two"');
    await expect(rows(page).nth(1)).toHaveAttribute("aria-selected", "true");

    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type('{"text": fals');
    await expect(page.getByRole("alert").filter({ hasText: "Line 1" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
    await page.keyboard.press("Tab");
    await expect(editor(page)).not.toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(editor(page)).toBeFocused();
    await page.keyboard.type("e}");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(json).toContainText("false");
    expect(await valueOf(page, url, ["keys", "ada", "notes"], "second")).toEqual({ text: false });

    await page.getByRole("button", { name: "Delete" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete this item?" });
    await expect(dialog).toContainText("second");
    await dialog.getByRole("button", { name: "Delete" }).press("Enter");
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByRole("main")).toBeFocused();
    expect(await valueOf(page, url, ["keys", "ada", "notes"], "second")).toBeNull();
  });

  test("takes a new item, and finds it by words, by conditions and by meaning", async ({ page }) => {
    const { url } = server();
    await put(page, url, ["find", "a"], "apple", { text: "aaa", size: 3 });
    await put(page, url, ["find", "b"], "berry", { text: "bbb", size: 1 });
    await open(page, `${url}${STORE}?namespace=find`);
    await page.getByRole("button", { name: "Add item" }).click();
    await page.getByRole("textbox", { name: "Namespace" }).fill("find..x");
    await page.getByRole("textbox", { name: "Key" }).fill("both");
    await expect(page.getByText("Namespace labels cannot be empty or contain periods").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Add item" }).last()).toBeDisabled();
    await page.getByRole("textbox", { name: "Namespace" }).fill("find.c");
    await editor(page).fill('{"text": "ab", "size": 2}');
    await page.getByLabel("Expires").selectOption("minutes");
    await page.getByLabel("Minutes").fill("5");
    await page.getByRole("button", { name: "Add item" }).last().click();
    await expect(page.getByRole("tree", { name: "Value of both" })).toContainText('"ab"');
    await expect(rows(page)).toHaveCount(3);
    await expect(node(page, "c")).toBeVisible();

    const search = page.getByRole("searchbox", { name: "Search items" });
    await search.fill("BERRY");
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByText("1 item of 3 searched")).toBeVisible();
    await search.fill("size>=2");
    await expect(rows(page)).toHaveCount(2);
    await expect(page).toHaveURL(/q=size/);
    await search.fill("nothing like it");
    await expect(page.getByText("No item matches.")).toBeVisible();
    await page.getByRole("radio", { name: "Meaning" }).check({ force: true });
    await page.getByRole("searchbox", { name: "Search by meaning" }).fill("bb");
    await expect(rows(page).first()).toContainText("berry");
    await expect(rows(page).first()).toContainText("score 1.000");
    await page.reload();
    await expect(page.getByRole("searchbox", { name: "Search by meaning" })).toHaveValue("bb");
    await expect(rows(page).first()).toContainText("score 1.000");
  });

  test("shows hostile names and values as text, and large ones when asked", async ({ page }) => {
    const { url } = server();
    const key = '<img src=x onerror="document.title=1">';
    await put(page, url, ["<b>bold</b>"], key, {
      html: "<script>document.title = 'owned'</script>",
      long: "a".repeat(3000),
    });
    await put(page, url, ["<b>bold</b>"], "large", { list: Array.from({ length: 30_000 }, (_, at) => `line ${at}`) });
    await put(page, url, ["<b>bold</b>"], "../../../x?y#z", { ok: true });
    await open(page, `${url}${STORE}`);
    await node(page, "<b>bold</b>").click();
    await rows(page).filter({ hasText: "img src" }).click();
    await expect(page.getByRole("heading", { name: key })).toBeVisible();
    await expect(page.getByText("<script>document.title = 'owned'</script>").last()).toBeVisible();
    await expect(page.getByText("(2,000 more characters)")).toBeVisible();
    await page.getByRole("button", { name: /^Show all/ }).click();
    await expect(page.getByText("(2,000 more characters)")).toHaveCount(0);
    await expect(page).toHaveTitle(/^Store/);
    await expectAccessible(page);

    await rows(page).filter({ hasText: "large" }).click();
    await expect(page.getByText("This value is large.")).toBeVisible();
    await page.getByRole("button", { name: "Show it" }).click();
    const json = page.getByRole("tree", { name: "Value of large" });
    await json.getByRole("button", { name: "Unfold" }).first().click();
    await expect(json).toContainText("[200 … 399]");
    await rows(page).filter({ hasText: "../x?y#z" }).click();
    await page.reload();
    await expect(page.getByRole("heading", { name: "../../../x?y#z" })).toBeVisible();
    await expect(page.getByRole("tree", { name: /Value of/ })).toContainText("true");
  });

  test("scrolls and searches thousands of items, of which only the visible ones are rendered", async ({ page }) => {
    const { url } = server();
    const total = 2500;
    for (let from = 0; from < total; from += 50) {
      const keys = Array.from({ length: 50 }, (_, at) => `item ${String(from + at).padStart(5, "0")}`);
      await Promise.all(keys.map((key) => put(page, url, ["many"], key, { n: key })));
    }
    await open(page, `${url}${STORE}?namespace=many`);
    await expect(page.getByText("The first 100 items")).toBeVisible();
    await page.getByRole("listbox", { name: "Items" }).focus();
    await page.keyboard.press("End");
    await expect(page).toHaveURL(/key=item\+\d+|key=item%20\d+/);
    await expect(page.getByText("The first 200 items")).toBeVisible();
    expect(await rows(page).count()).toBeLessThan(60);
    await page.getByRole("searchbox", { name: "Search items" }).fill("item 02499");
    await expect(page.getByText("1 item of 2,500 searched")).toBeVisible();
    await rows(page).click();
    await expect(page.getByRole("heading", { name: "item 02499" })).toBeVisible();
  });

  test("is used on a phone one pane at a time", async ({ page }) => {
    const { url } = server();
    await put(page, url, ["phone"], "call", { text: "ring" });
    await page.setViewportSize(PHONE);
    await open(page, `${url}${STORE}`);
    await node(page, "phone").click();
    await expect(tree(page)).toBeHidden();
    await rows(page).click();
    await expect(page.getByRole("tree", { name: "Value of call" })).toContainText("ring");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Items" }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole("button", { name: "Namespaces" }).click();
    await node(page, "All namespaces").click();
    await expect(rows(page).first()).toBeVisible();
    await page.goBack();
    await expect(tree(page)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });

  for (const viewport of [DESKTOP, PHONE]) {
    test.describe(`${viewport.width} wide`, () => {
      test.use({ viewport });

      test("axe finds nothing in list, item and editor", async ({ page }) => {
        const { url } = server();
        await put(page, url, ["axe"], "seen", { text: "a", nested: { list: [1, null, true] } });
        await open(page, `${url}${STORE}?namespace=axe`);
        await expect(rows(page)).toHaveCount(1);
        await expectAccessibleInBothSchemes(page);
        await rows(page).click();
        await expect(page.getByRole("tree", { name: "Value of seen" })).toBeVisible();
        await expectAccessibleInBothSchemes(page);
        await page.getByRole("button", { name: "Edit" }).click();
        await expect(page.locator(".cm-content")).toBeVisible();
        await expectAccessibleInBothSchemes(page);
      });
    });
  }
});

test("an application without an index says so", async ({ page }) => {
  await open(page, STORE);
  await expect(page.getByText("This deployment has no index")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Meaning" })).toHaveCount(0);
  await expect(page.getByText("Nothing is stored here yet.")).toBeVisible();
});

test("an empty store says what it is for, on phones, too", async ({ page }) => {
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await open(page, STORE);
    const shown = page.getByText("The store is empty").filter({ visible: true });
    await expect(shown).toHaveCount(1);
    await expectAccessible(page);
  }
});

test.describe("that cannot be read", () => {
  test.use({ expected: [/500/] });

  test("says so, and counts no items", async ({ page }) => {
    const items = "**/store/items/search";
    await page.route(items, (route) => route.fulfill({ status: 500, json: { detail: "Out of order" } }));
    await open(page, STORE);
    await expect(page.getByRole("alert").filter({ hasText: "The items could not be loaded" })).toBeVisible();
    await expect(page.getByText(/\d+ items?/)).toHaveCount(0);
    await page.unroute(items);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("0 items")).toBeVisible();
  });
});

test.describe("of an application with authentication", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/guarded") }));

  for (const [name, title] of [["store", "Store"] as const, ["assistants", "Assistants"] as const]) {
    test(`the page ${title} asks to authenticate`, async ({ page }) => {
      await open(page, `${server().url}/deployments/default/${name}`);
      await expect(page.getByRole("heading", { name: "This application requires authentication" })).toBeVisible();
      await page.getByLabel("Headers to send").fill("Authorization: Bearer ada");
      await page.getByRole("button", { name: "Use these headers" }).click();
      await expect(page.getByRole("button", { name: "Calls as: Custom headers" })).toBeVisible();
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeAttached();
    });
  }
});
