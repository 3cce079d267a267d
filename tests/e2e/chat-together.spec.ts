/** Tests the chat beside other clients of its thread, and that nothing typed is lost. */
import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, hold, open, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({}));
const chat = (assistant: string): string => `${server().url}/deployments/default/chat?assistant=${assistant}`;
const answers = (page: Page) => page.getByRole("article");
const card = (page: Page) => page.getByRole("region", { name: "Waiting for you" });
const message = (page: Page) => page.getByRole("textbox", { name: /^Message/ });
const list = (page: Page) => page.getByRole("navigation", { name: "Threads" });

async function send(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await page.keyboard.press("Enter");
}

/** Opens the thread of a page in another page. */
async function join(page: Page): Promise<Page> {
  await expect(page).toHaveURL(/thread=/);
  const other = await page.context().newPage();
  await other.setViewportSize(DESKTOP);
  await open(other, page.url());
  return other;
}

test("a conversation shows what is asked and answered on another page, as it happens", async ({ page }) => {
  await open(page, chat("echo"));
  await send(page, "from here");
  await expect(answers(page)).toHaveCount(1);
  const other = await join(page);
  // Enter sends nothing before the conversation is there.
  await expect(answers(other)).toHaveCount(1);
  await send(other, "from there");
  await expect(answers(page)).toHaveCount(2);
  await expect(answers(page).last()).toContainText("from there");
  await send(page, "and from here again");
  await expect(answers(other)).toHaveCount(3);
});

test("a question that somebody else answers is closed, and the page says so", async ({ page }) => {
  await open(page, chat("approval"));
  await send(page, "Tell Ada that her order ships on Friday");
  await expect(card(page)).toBeVisible();
  const other = await join(page);
  await card(other).getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Somebody else has answered")).toBeVisible();
  await expect(card(page)).toBeHidden();
  await expect(answers(page)).toContainText("Approved, as drafted");
  await expectAccessible(page);
  await send(page, "Tell Bob that the invoice is late");
  await expect(card(page)).toContainText("Bob");
  await expect(page.getByText("Somebody else has answered")).toBeHidden();
});

test("what is typed stays with its conversation while another one is shown, and when the page is loaded again", async ({
  page,
}) => {
  await open(page, chat("echo"));
  await send(page, "the first conversation");
  await expect(answers(page)).toHaveCount(1);
  await message(page).fill("half a thought");
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(answers(page)).toHaveCount(0);
  await expect(message(page)).toHaveValue("");
  await message(page).fill("the beginning of another");
  await list(page).getByRole("link", { name: "the first conversation" }).click();
  await expect(message(page)).toHaveValue("half a thought");
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(message(page)).toHaveValue("the beginning of another");
  await page.reload();
  await expect(message(page)).toHaveValue("the beginning of another");
  await list(page).getByRole("link", { name: "the first conversation" }).click();
  await expect(message(page)).toHaveValue("half a thought");
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(message(page)).toHaveValue("the beginning of another");
  await message(page).press("Enter");
  await expect(answers(page)).toHaveCount(1);
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(message(page)).toHaveValue("");
});

test("a message that is on its way is sent also when another conversation is opened at once", async ({ page }) => {
  await open(page, chat("echo"));
  const release = await hold(page, "**/runs/stream");
  await send(page, "on its way");
  await expect(page).toHaveURL(/thread=/);
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(page).not.toHaveURL(/thread=/);
  release();
  await list(page).getByRole("link", { name: "on its way" }).click();
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
});

test.describe("when the server cannot be reached", () => {
  test.use({ expected: [/ERR_FAILED/] });

  test("a written answer is kept with its form until it can be sent", async ({ page }) => {
    await open(page, chat("approval"));
    await send(page, "Tell Ada that her order ships on Friday");
    await card(page).getByRole("button", { name: "Edit" }).click();
    await card(page).getByRole("textbox", { name: "Text" }).fill("Dear Ada, it is on its way.");
    await page.route("**/threads/**", (route) => route.abort());
    await card(page).getByRole("button", { name: "Send answer" }).click();
    await expect(page.getByText("answer again")).toBeVisible();
    await expect(card(page).getByRole("textbox", { name: "Text" })).toHaveValue("Dear Ada, it is on its way.");
    await page.unroute("**/threads/**");
    await card(page).getByRole("button", { name: "Send answer" }).click();
    await expect(card(page)).toBeHidden();
    await expect(answers(page)).toContainText("it is on its way");
  });
});
