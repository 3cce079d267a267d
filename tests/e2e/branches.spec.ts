import { readFile } from "node:fs/promises";
import { Client } from "@langchain/langgraph-sdk";
import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, expectAccessibleInBothSchemes, open, PHONE, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });

const server = withServer(() => ({}));
const chat = (query = "assistant=echo"): string => `${server().url}/deployments/default/chat?${query}`;

const field = (page: Page) => page.getByRole("textbox", { name: /^Message/ });
const answers = (page: Page) => page.getByRole("article");
const said = (page: Page) => answers(page).locator(".markdown");
const branch = (page: Page, number: number, of: number) =>
  page.getByRole("group", { name: `Branch ${number} of ${of}` });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name });
const query = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
  await expect(said(page).last()).toContainText(text);
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
}

async function editFirst(page: Page, text: string): Promise<void> {
  await answers(page).first().hover();
  await answers(page).first().getByRole("button", { name: "Edit question" }).click();
  await say(page, text);
}

test("an edited question is branch 2 of 2, and both are shown, continued, linked and kept after a reload", async ({
  page,
}) => {
  await open(page, chat());
  await say(page, "Apples");
  await say(page, "More apples");
  await editFirst(page, "Pears");
  await expect(answers(page)).toHaveCount(1);
  await expect(branch(page, 2, 2)).toBeVisible();

  await branch(page, 2, 2).getByRole("button", { name: "Previous branch" }).click();
  await expect(said(page)).toHaveText(["Apples", "More apples"]);
  await expect(branch(page, 1, 2)).toBeVisible();
  await expect(page.getByText("This is not the newest branch")).toBeVisible();
  await expectAccessible(page);
  const leaf = query(page, "checkpoint");
  expect(leaf).not.toBeNull();
  await page.reload();
  await expect(said(page)).toHaveText(["Apples", "More apples"]);
  await expect(branch(page, 1, 2)).toBeVisible();

  const sent = page.waitForRequest("**/runs/stream");
  await say(page, "Still apples");
  expect((await sent).postDataJSON()).toMatchObject({ checkpoint_id: leaf });
  await expect(said(page)).toHaveText(["Apples", "More apples", "Still apples"]);
  expect(query(page, "checkpoint")).toBeNull();
  await page.reload();
  await expect(said(page)).toHaveText(["Apples", "More apples", "Still apples"]);
  await branch(page, 1, 2).getByRole("button", { name: "Next branch" }).click();
  await expect(said(page)).toHaveText(["Pears"]);
  await page.getByRole("button", { name: "Show newest" }).click();
  await expect(said(page)).toHaveCount(3);
  expect(query(page, "checkpoint")).toBeNull();
});

test("an answer that was regenerated twice is 3 of 3, by the keyboard alone, with its checkpoint and the Studio", async ({
  page,
}) => {
  await open(page, chat());
  await say(page, "First");
  await say(page, "Second");
  for (const count of [2, 3]) {
    await page.getByRole("button", { name: "Regenerate" }).focus();
    await page.keyboard.press("Enter");
    await expect(branch(page, count, count)).toBeVisible();
  }
  await branch(page, 3, 3).getByRole("button", { name: "Previous branch" }).focus();
  await page.keyboard.press("Enter");
  await expect(branch(page, 2, 3).getByRole("button", { name: "Previous branch" })).toBeFocused();
  await page.keyboard.press("Enter");
  // There is no branch before the first one, so the focus goes to the other button.
  await expect(branch(page, 1, 3).getByRole("button", { name: "Next branch" })).toBeFocused();

  await branch(page, 1, 3)
    .getByRole("button", { name: /^Copy checkpoint/ })
    .click();
  const checkpoint = await page.evaluate(() => navigator.clipboard.readText());
  const thread = query(page, "thread") ?? "";
  const href = `/deployments/default/studio/echo?thread=${thread}&checkpoint=${checkpoint}`;
  await expect(branch(page, 1, 3).getByRole("link", { name: "Open in Studio" })).toHaveAttribute("href", href);
  const client = new Client({ apiUrl: server().url, apiKey: null });
  const { values } = await client.threads.getState<{ messages: unknown[] }>(thread, checkpoint);
  expect(values.messages.length).toBe(2);
});

test("a branch that another client made is shown, and the client finds those of the page", async ({ page }) => {
  const client = new Client({ apiUrl: server().url, apiKey: null });
  const { thread_id } = await client.threads.create();
  const input = (content: string) => ({ input: { messages: [{ type: "human", content }] } });
  await client.runs.wait(thread_id, "echo", input("Of a client"));
  const [newest] = await client.threads.getHistory(thread_id);
  await client.runs.wait(thread_id, "echo", input("One way"));
  const checkpoint = { checkpoint_ns: "", checkpoint_map: {}, checkpoint_id: newest?.checkpoint.checkpoint_id ?? "" };
  await client.runs.wait(thread_id, "echo", { ...input("Another way"), checkpoint });
  await open(page, chat(`thread=${thread_id}`));
  await expect(said(page)).toHaveText(["Of a client", "Another way"]);
  await branch(page, 2, 2).getByRole("button", { name: "Previous branch" }).click();
  await expect(said(page)).toHaveText(["Of a client", "One way"]);
});

test("the menu of a message copies, edits, forks, links, and opens the Studio at its checkpoint", async ({ page }) => {
  await open(page, chat());
  await say(page, "First");
  await say(page, "Second");
  await answers(page).first().hover();
  await answers(page).first().getByRole("button", { name: "More about this question" }).focus();
  await page.keyboard.press("Enter");
  await expect(item(page, "Copy text")).toBeVisible();
  await expectAccessible(page, "[role=menu]");
  const studio = await item(page, "Open in Studio").getAttribute("href");
  expect(studio).toContain(`/deployments/default/studio/echo?thread=${query(page, "thread")}&checkpoint=`);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(item(page, "Edit")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(field(page)).toHaveValue("First");
  await page.keyboard.press("Escape");

  const menu = answers(page).first().getByRole("button", { name: "More about this answer" });
  await menu.click();
  await item(page, "Copy link").click();
  await expect(page.getByText("Link copied")).toBeVisible();
  await expect(menu).toBeFocused();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await menu.click();
  await item(page, "Fork from here").click();
  await expect(said(page)).toHaveText(["First"]);
  await say(page, "Otherwise");
  await expect(branch(page, 2, 2)).toBeVisible();
  await open(page, link);
  await expect(said(page)).toHaveText(["First"]);
});

test("a conversation is exported as Markdown and as JSON under a safe name", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page, chat("assistant=agent"));
  await field(page).fill("What is 12 * 7?");
  await page.keyboard.press("Enter");
  await expect(answers(page)).toContainText("84");
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  const save = async (name: string): Promise<[string, string]> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).focus();
    await page.keyboard.press("Enter");
    await expect(item(page, name)).toBeVisible();
    await expectAccessible(page, "[role=menu]");
    await item(page, name).press("Enter");
    const file = await download;
    return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
  };
  const [markdownName, markdown] = await save("Export as Markdown");
  expect(markdownName).toBe("What-is-12-7.md");
  expect(markdown).toContain("## You\n\n> What is 12 * 7?\n\n## agent\n\n> **Tool** ` calculate `");
  const [jsonName, json] = await save("Export as JSON");
  expect(jsonName).toBe("What-is-12-7.json");
  expect(JSON.parse(json)).toMatchObject({
    thread: { status: "idle" },
    state: { values: { messages: [{}, {}, {}, {}] } },
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  test("axe finds nothing in a branch, and nothing is wider than it", async ({ page }) => {
    await open(page, chat());
    await say(page, "Apples");
    await editFirst(page, "Pears");
    await branch(page, 2, 2).getByRole("button", { name: "Previous branch" }).click();
    await expect(page.getByText("This is not the newest branch")).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  });
});
