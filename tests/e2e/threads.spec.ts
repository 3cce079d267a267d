import { expect, type Page } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { DESKTOP, expectAccessible, open, PHONE, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({}));
const chat = (assistant = "echo"): string => `${server().url}/deployments/default/chat?assistant=${assistant}`;

const list = (page: Page) => page.getByRole("navigation", { name: "Threads" });
const answers = (page: Page) => page.getByRole("article");
const card = (page: Page) => page.getByRole("region", { name: "Waiting for you" });

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Message/ }).fill(question);
  await page.keyboard.press("Enter");
}

async function talk(page: Page, question: string): Promise<void> {
  await open(page, chat());
  await send(page, question);
  await expect(answers(page).last().locator(".markdown")).toContainText(question);
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
}

test("conversations are listed newest first, named after their question, and opened from there", async ({ page }) => {
  await talk(page, "About apples");
  await talk(page, "About pears");
  const titles = list(page).getByRole("link");
  await expect(titles.first()).toContainText("About pears");
  await expect(titles.first()).toHaveAttribute("aria-current", "page");
  await expect(list(page)).toContainText("echo");
  await expect(page.getByRole("complementary", { name: "Threads" })).toHaveCount(0);
  await list(page).getByRole("link", { name: "About apples" }).click();
  await expect(answers(page).locator(".markdown")).toContainText("About apples");
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("About apples");
  await page.reload();
  await expect(answers(page).locator(".markdown")).toContainText("About apples");
  await page.goBack();
  await expect(answers(page).locator(".markdown")).toContainText("About pears");
});

test("a conversation is renamed with the keyboard, found by its new name, and deleted after a question", async ({
  page,
}) => {
  await talk(page, "Call me something");
  await page.getByRole("button", { name: "Rename Call me something" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "New name of Call me something" })).toBeFocused();
  await page.keyboard.type("Gooseberries");
  await page.keyboard.press("Enter");
  const link = list(page).getByRole("link", { name: "Gooseberries" });
  await expect(link).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("Gooseberries");

  await page.getByRole("button", { name: "Rename Gooseberries" }).click();
  await page.keyboard.type("Not kept");
  await page.keyboard.press("Escape");
  await expect(link).toBeFocused();

  const search = page.getByRole("searchbox", { name: "Search threads" });
  await search.fill("gooseb");
  await expect(list(page).getByRole("link")).toHaveCount(1);
  await search.fill("nobody said this");
  await expect(list(page)).toContainText("No thread is called");
  await search.press("Escape");
  await expect(search).toHaveValue("");

  await page.getByRole("button", { name: "Delete Gooseberries" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this thread?" });
  await expect(dialog).toContainText("Gooseberries");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Back" }).click();
  await expect(link).toBeVisible();
  await page.getByRole("button", { name: "Delete Gooseberries" }).click();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(link).toBeHidden();
  await expect(answers(page)).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Suggestions" })).toBeVisible();
});

test.describe("when things are not there", () => {
  test.use({ expected: [/404 \(Not Found\)|ERR_FAILED/] });

  test("a conversation that was deleted says so and offers a new one", async ({ page }) => {
    await open(page, `${server().url}/deployments/default/chat?thread=0b0e3c36-93b1-4b7c-a2a7-1a1a2a3a4a5a`);
    await expect(page.getByText("This thread no longer exists")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("main").getByRole("link", { name: "New thread" }).click();
    await expect(page.getByRole("list", { name: "Suggestions" })).toBeVisible();
  });

  test("a conversation and a list that cannot be read say so, and Retry reads them", async ({ page }) => {
    await talk(page, "Read me");
    await page.route("**/threads/**", (route) => route.abort());
    await page.reload();
    await expect(page.getByText("This thread could not be loaded")).toBeVisible();
    await expect(page.getByText("The threads could not be loaded")).toBeVisible();
    await expectAccessible(page);
    await page.unroute("**/threads/**");
    await page.getByRole("main").getByRole("button", { name: "Retry" }).click();
    await expect(answers(page).locator(".markdown")).toContainText("Read me");
    await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("The threads could not be loaded")).toBeHidden();
  });
});

test.describe("of many", () => {
  // The server goes while the page is there.
  test.use({ expected: [/net::ERR_/] });

  test("more conversations than a page are shown on demand, and all of them searched", async ({ page }) => {
    const made = await startServer();
    try {
      for (let number = 1; number <= 35; number++) {
        const body = JSON.stringify({ metadata: { graph_id: "echo", title: `Talk ${number}` } });
        await fetch(`${made.url}/threads`, { method: "POST", headers: { "content-type": "application/json" }, body });
      }
      await open(page, `${made.url}/deployments/default/chat`);
      await expect(list(page).getByRole("link")).toHaveCount(30);
      await page.getByRole("searchbox").fill("talk 1");
      await expect(list(page).getByRole("link")).toHaveCount(11);
      await page.getByRole("searchbox").fill("");
      await page.reload();
      await page.getByRole("button", { name: "Show more" }).click();
      await expect(list(page).getByRole("link")).toHaveCount(35);
    } finally {
      await made.stop();
    }
  });
});

test.describe("an approval", () => {
  const ORDER = "Tell Ada that her order ships on Friday";

  async function drafted(page: Page): Promise<void> {
    await open(page, chat("approval"));
    await send(page, ORDER);
    await expect(card(page)).toContainText("Shall I send this message?");
    await expect(card(page)).toContainText("Ada");
  }

  test("is shown with its draft, waits in the list, and is approved", async ({ page }) => {
    await drafted(page);
    await expect(list(page).getByRole("link").first()).toContainText("Waiting for you");
    await card(page).getByRole("button", { name: "Approve" }).click();
    await expect(answers(page)).toContainText("Approved, as drafted");
    await expect(card(page)).toBeHidden();
    await expect(list(page).getByRole("link").first()).not.toContainText("Waiting for you");
    await expect(answers(page)).toHaveCount(1);
  });

  test("is edited, with the draft to begin from, by the keyboard alone", async ({ page }) => {
    await drafted(page);
    await card(page).getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    const text = card(page).getByRole("textbox", { name: "Text" });
    await expect(text).toBeFocused();
    await expect(text).toHaveValue(/Ada/);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(card(page).getByRole("button", { name: "Approve" })).toBeVisible();
    await card(page).getByRole("button", { name: "Edit" }).click();
    await text.fill("Dear Ada, it ships on Monday.");
    await card(page).getByRole("button", { name: "Send answer" }).click();
    await expect(answers(page)).toContainText("Approved, with your changes");
    await expect(answers(page)).toContainText("it ships on Monday");
  });

  test("is rejected after a reload", async ({ page }) => {
    await drafted(page);
    await page.reload();
    await card(page).getByRole("button", { name: "Reject" }).click();
    await card(page).getByRole("textbox", { name: "Reason" }).fill("She knows");
    await card(page).getByRole("button", { name: "Reject" }).click();
    await expect(answers(page)).toContainText("Rejected. Nothing was sent. Your reason: She knows");
    await page.reload();
    await expect(answers(page)).toContainText("Rejected. Nothing was sent");
    await expect(card(page)).toHaveCount(0);
  });

  test.describe("over a restart of the server", () => {
    test.use({ expected: [/net::ERR_/] });

    test("waits, and is answered when the server is back", async ({ page }) => {
      const first = await startServer();
      await open(page, `${first.url}/deployments/default/chat?assistant=approval`);
      await send(page, ORDER);
      await expect(card(page)).toContainText("Shall I send this message?");
      await first.crash();
      await card(page).getByRole("button", { name: "Approve" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "Your answer did not reach the server" })).toBeVisible();
      const second = await startServer({ home: first.home, env: { PORT: new URL(first.url).port } });
      try {
        await expect(page.getByText("Platform healthy")).toBeVisible();
        await expect(page.getByText("The threads could not be loaded")).toBeHidden();
        await page.reload();
        await expect(card(page)).toContainText("Ada");
        await card(page).getByRole("button", { name: "Approve" }).click();
        await expect(answers(page)).toContainText("Approved, as drafted");
      } finally {
        await second.stop();
        expect(first.errors() + second.errors()).toBe("");
      }
    });
  });
});

test("any question can be edited, which removes what came after it", async ({ page }) => {
  await talk(page, "First");
  await send(page, "Second");
  await expect(answers(page)).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await answers(page).first().hover();
  await answers(page).first().getByRole("button", { name: "Edit question" }).click();
  await expect(page.getByText("Editing an earlier message")).toBeVisible();
  await send(page, "Other");
  await expect(answers(page)).toHaveCount(1);
  await expect(answers(page).locator(".markdown")).toContainText("Other");
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await page.reload();
  await expect(answers(page).locator(".markdown")).toContainText("Other");
  await expect(answers(page)).toHaveCount(1);
});

test("on a phone the list is a drawer, from which a conversation is opened", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await talk(page, "Small words");
  await page.getByRole("button", { name: "Threads" }).click();
  const drawer = page.getByRole("dialog", { name: "Threads" });
  await expect(drawer.getByRole("link", { name: "Small words" })).toBeVisible();
  await expectAccessible(page);
  await drawer.getByRole("link", { name: "New" }).click();
  await expect(drawer).toBeHidden();
  await expect(answers(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Threads" }).click();
  await drawer.getByRole("link", { name: "Small words" }).click();
  await expect(answers(page).locator(".markdown")).toContainText("Small words");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});
