/** Tests pages of other origins that use the official hooks, of both generations. */
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, type Page } from "@playwright/test";
import { withPage } from "./served-page.ts";
import { test, withServer } from "./fixtures.ts";

const gated = withServer(() => ({ app: join(import.meta.dirname, "apps/gated") }));
const sample = withServer(() => ({}));

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const message = (page: Page, role: string) => page.getByRole("listitem").filter({ hasText: new RegExp(`^${role}`) });
const sentTexts = (page: Page) => message(page, "human").locator("span");
const answer = (page: Page) => message(page, "ai").locator("span");
const question = (page: Page) => page.getByLabel("Question");

/** Expects that no run is active, as far as the page knows. */
const expectStill = (page: Page) => expect(page.getByLabel("State")).toHaveText("still");

/** Expects that no text of the last answer on this page lacked a token, or had one twice. */
async function expectOnlyBeginnings(page: Page): Promise<void> {
  const texts = await page.evaluate(() => window.texts ?? []);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !ALPHABET.startsWith(text))).toEqual([]);
}

async function threadOf(page: Page): Promise<string> {
  await expect(page.getByLabel("Thread")).toHaveText(/^[0-9a-f-]{36}$/);
  return page.getByLabel("Thread").innerText();
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Text").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

async function talk(page: Page, texts: readonly string[]): Promise<void> {
  for (const [turn, text] of texts.entries()) {
    await say(page, text);
    await expect(answer(page)).toHaveCount(turn + 1);
    await expectStill(page);
  }
  await expect(answer(page)).toHaveText([...texts]);
}

/** Replaces the human message at this index by `text`. */
async function edit(page: Page, index: number, text: string): Promise<void> {
  await page.getByLabel("Text").fill(text);
  await message(page, "human").nth(index).getByRole("button", { name: "Edit" }).click();
}

/** Lets the graph `letters` continue to its letter number `count`. */
async function allow(page: Page, count: number): Promise<void> {
  const opened = await fetch(`${gated().url}/gates/${await threadOf(page)}/${count}`, { method: "POST" });
  expect(opened.status).toBe(204);
}

const runsOf = async (page: Page) => new Client({ apiUrl: gated().url, apiKey: null }).runs.list(await threadOf(page));

type Open = (page: Page, api: string, assistant: string) => Promise<unknown>;

function opener(served: () => string, more: Record<string, string> = {}): Open {
  return (page, api, assistant) => page.goto(`${served()}?${new URLSearchParams({ api, assistant, ...more })}`);
}

function expectsConversations(open: Open): void {
  test("shows an answer token by token, and the id of the thread", async ({ page }) => {
    await open(page, gated().url, "letters");
    await say(page, "Go on");
    for (const letters of [1, 2, 3, 13, 26]) {
      await allow(page, letters);
      await expect(answer(page)).toHaveText(ALPHABET.slice(0, letters));
    }
    await expectStill(page);
    await expectOnlyBeginnings(page);
    expect(await runsOf(page)).toMatchObject([{ status: "success" }]);
  });

  test("goes on after reloads in mid-answer, without a lost or doubled token", async ({ page }) => {
    await open(page, gated().url, "letters");
    await say(page, "Go on");
    for (const letters of [10, 15]) {
      await allow(page, letters);
      await expect(answer(page)).toHaveText(ALPHABET.slice(0, letters));
      await page.reload();
      await expect(answer(page)).toHaveText(ALPHABET.slice(0, letters));
      await expect(page.getByLabel("State")).toHaveText("busy");
      await expectOnlyBeginnings(page);
    }
    await page.reload();
    await allow(page, 26);
    await expect(answer(page)).toHaveText(ALPHABET);
    await expectStill(page);
    await expectOnlyBeginnings(page);
    await expect(sentTexts(page)).toHaveText(["Go on"]);
    expect(await runsOf(page)).toMatchObject([{ status: "success" }]);
  });

  test("shows what a graph asks, also after a reload, and answers it", async ({ page }) => {
    await open(page, sample().url, "approval");
    await say(page, "Tell Anna that the build is green");
    await expect(question(page)).toContainText("Shall I send this message?");
    await expectStill(page);
    await page.reload();
    await expect(question(page)).toContainText("The build is green.");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(answer(page)).toContainText("Approved, as drafted.");
    await expect(question(page)).toHaveCount(0);
    await expect(sentTexts(page)).toHaveCount(1);
  });

  test("edits the last human message: the conversation forks there", async ({ page }) => {
    await open(page, sample().url, "echo");
    await talk(page, ["one", "two"]);
    await edit(page, 1, "another two");
    await expect(answer(page)).toHaveText(["one", "another two"]);
    await expect(sentTexts(page)).toHaveText(["one", "another two"]);
    await expectStill(page);
    await page.reload();
    await expect(answer(page)).toHaveText(["one", "another two"]);
    await expect(sentTexts(page)).toHaveText(["one", "another two"]);
  });

  test("stop ends the run, and the next message is answered", async ({ page }) => {
    await open(page, gated().url, "letters");
    await say(page, "Go on");
    await allow(page, 5);
    await expect(answer(page)).toHaveText("abcde");
    await page.getByRole("button", { name: "Stop" }).click();
    await expectStill(page);
    await expect.poll(() => runsOf(page)).toMatchObject([{ status: "interrupted" }]);
    await allow(page, 26);
    await say(page, "Once more");
    await expect(answer(page).filter({ hasText: ALPHABET })).toHaveCount(1);
    await expectStill(page);
    await page.reload();
    await expect(sentTexts(page)).toHaveText(["Go on", "Once more"]);
    await expect(answer(page)).toHaveText([ALPHABET]);
  });

  test.describe("where something fails", () => {
    test.use({ expected: [/kaput|404|No assistant found/] });

    test("shows what a graph has thrown", async ({ page }) => {
      await open(page, gated().url, "fails");
      await say(page, "Go on");
      await expect(page.getByRole("alert")).toContainText("kaput");
      await expectStill(page);
    });

    test("shows that an assistant is not there", async ({ page }) => {
      await open(page, gated().url, "nobody");
      await say(page, "Go on");
      await expect(page.getByRole("alert")).toContainText('No assistant found for "nobody"');
      await expectStill(page);
    });
  });
}

test.describe("the hook over threads", () => {
  expectsConversations(opener(withPage("newer")));
});

test.describe("the hook over runs", () => {
  const served = withPage("classic");
  const open = opener(served);
  expectsConversations(open);

  test("an edit leaves the branch that was there before, and both can be shown", async ({ page }) => {
    await open(page, sample().url, "echo");
    await talk(page, ["one", "two", "three"]);
    await edit(page, 1, "another two");
    await expect(answer(page)).toHaveText(["one", "another two"]);
    await expectStill(page);
    await page.getByRole("button", { name: "Branch 1" }).click();
    await expect(answer(page)).toHaveText(["one", "two", "three"]);
    await page.getByRole("button", { name: "Branch 2" }).click();
    await expect(sentTexts(page)).toHaveText(["one", "another two"]);
  });

  test("has an answer given again, in a branch of its own", async ({ page }) => {
    await open(page, sample().url, "echo");
    await talk(page, ["one", "two"]);
    await message(page, "ai").nth(1).getByRole("button", { name: "Again" }).click();
    await expect(message(page, "ai").nth(1).getByRole("button", { name: "Branch 2" })).toBeVisible();
    await expectStill(page);
    await expect(sentTexts(page)).toHaveText(["one", "two"]);
    await expect(answer(page)).toHaveText(["one", "two"]);
  });

  test("a page that leaves without wanting to come back takes its run with it", async ({ page }) => {
    await opener(served, { reconnect: "no" })(page, gated().url, "letters");
    await say(page, "Go on");
    await allow(page, 5);
    await expect(answer(page)).toHaveText("abcde");
    await page.reload();
    await expect.poll(() => runsOf(page)).toMatchObject([{ status: "interrupted" }]);
  });
});
