import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { isWide, makeThread, row, rows } from "./rooms.ts";
import { DESKTOP, expectAccessible, hydrated, open, PHONE, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const ROOM = "/deployments/default/threads";
const filter = (page: Page) => page.getByRole("searchbox", { name: "Filter threads" });
const selection = (page: Page) => page.getByRole("region", { name: "Selection" });
const card = (page: Page) => page.getByRole("region", { name: "Waiting for you" });

test.describe("the table of threads", () => {
  const server = withServer(() => ({}));
  const url = (): string => server().url;
  test.beforeAll(async () => {
    await makeThread(url(), { title: "Gooseberries", customer: "ada", level: 3 });
    await makeThread(url(), { title: "<b>Not bold</b>", customer: "bob" });
    await makeThread(url(), {}, "echo", "About apples");
    await makeThread(url(), {}, "approval", "Tell Ada that her order ships");
  });

  test("is filtered by metadata, id, status and assistant, and keeps that over a reload", async ({ page }) => {
    await open(page, url() + ROOM);
    await expect(rows(page)).toHaveCount(4);
    await expect(page.getByText("4 threads", { exact: true })).toBeVisible();
    await expect(row(page, "<b>Not bold</b>")).toBeVisible();
    await expect(row(page, "About apples")).toContainText("echo");
    await expect(row(page, "Tell Ada")).toContainText("Shall I send this message?");
    await page.keyboard.press("/");
    await expect(filter(page)).toBeFocused();
    await page.keyboard.type("customer:ada level:3");
    await expect(rows(page)).toHaveCount(1);
    await expect(row(page, "Gooseberries")).toBeVisible();
    await expect(page).toHaveURL(/level:3/);
    await page.reload();
    await hydrated(page);
    await expect(filter(page)).toHaveValue("customer:ada level:3");
    await expect(rows(page)).toHaveCount(1);
    await filter(page).fill("nonsense");
    await expect(page.getByText("“nonsense” is left out: type the id of a thread, or key:value")).toBeVisible();
    await filter(page).press("Escape");
    await expect(rows(page)).toHaveCount(4);

    await page.getByRole("combobox", { name: "Status" }).selectOption("Waiting");
    await expect(rows(page)).toHaveCount(1);
    await page.reload();
    await expect(row(page, "Tell Ada")).toBeVisible();
    await page.getByRole("combobox", { name: "Status" }).selectOption("");
    await page.getByRole("combobox", { name: "Assistant" }).selectOption("echo");
    await expect(rows(page)).toHaveCount(1);
    await expect(row(page, "About apples")).toBeVisible();
    await filter(page).fill("customer:nobody");
    await expect(page.getByText("No thread matches")).toBeVisible();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await expect(rows(page)).toHaveCount(4);
    await expect(filter(page)).toHaveValue("");
  });

  test("is walked through, selected and opened with the keyboard alone", async ({ page }) => {
    await open(page, url() + ROOM);
    await expect(rows(page)).toHaveCount(4);
    await page.keyboard.press("j");
    await expect(rows(page).nth(0)).toBeFocused();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await expect(rows(page).nth(2)).toBeFocused();
    await page.keyboard.press("k");
    await expect(rows(page).nth(1)).toBeFocused();
    await page.keyboard.press("End");
    await expect(rows(page).nth(3)).toBeFocused();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await expect(selection(page)).toContainText("1 selected");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await expect(selection(page)).toContainText("3 selected");
    await expect(page.getByRole("row", { selected: true })).toHaveCount(3);
    await page.keyboard.press("Escape");
    await expect(selection(page)).toBeHidden();
    await rows(page).nth(3).getByRole("checkbox").click();
    await rows(page)
      .nth(1)
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await expect(selection(page)).toContainText("3 selected");
    await page.getByRole("checkbox", { name: "Select all loaded rows" }).click();
    await expect(selection(page)).toContainText("4 selected");
    await page.getByRole("button", { name: "Clear the selection" }).click();
    await row(page, "Gooseberries").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Gooseberries" })).toBeVisible();
    await page.goBack();
    await expect(rows(page)).toHaveCount(4);
  });

  test("shows threads that others start, without a reload", async ({ page }) => {
    await open(page, url() + ROOM);
    await expect(rows(page)).toHaveCount(4);
    const id = await makeThread(url(), {}, "echo", "A newer question");
    await expect(rows(page).first()).toContainText("A newer question");
    await expect(page.getByText("5 threads", { exact: true })).toBeVisible();

    await row(page, "A newer question").getByRole("checkbox").click();
    await selection(page).getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 1 thread?" });
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Back" }).click();
    await expect(selection(page).getByRole("button", { name: "Delete…" })).toBeFocused();
    await expect(row(page, "A newer question")).toBeVisible();
    await selection(page).getByRole("button", { name: "Cancel runs" }).click();
    await expect(selection(page)).toBeHidden();
    await row(page, "A newer question").getByRole("checkbox").click();
    await selection(page).getByRole("button", { name: "Delete…" }).click();
    await dialog.getByRole("button", { name: "Delete 1 thread" }).click();
    await expect(row(page, "A newer question")).toBeHidden();
    await expect(page.getByRole("main")).toBeFocused();
    await expect(page.getByText("4 threads", { exact: true })).toBeVisible();
    expect((await fetch(`${url()}/threads/${id}`)).status).toBe(404);
  });

  test("opens a thread with its state, messages, history, runs and metadata, all in the address", async ({ page }) => {
    await open(page, url() + ROOM);
    await row(page, "About apples").getByRole("link", { name: "About apples" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "About apples" })).toBeVisible();
    const panel = page.getByRole("tabpanel");
    await expect(panel.getByRole("region", { name: "State" })).toContainText("messages");
    await page.getByRole("tab", { name: "State" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect(panel.getByRole("list", { name: "Messages" }).getByRole("listitem")).toHaveCount(2);
    await page.getByRole("tab", { name: "History" }).click();
    await panel.getByRole("button", { name: /Step 1/ }).click();
    await expect(panel.getByRole("region", { name: "State at this checkpoint" })).toContainText("messages");
    await page.reload();
    await expect(panel.getByRole("button", { name: /Step 1/ })).toBeVisible();
    await page.getByRole("tab", { name: "Metadata" }).click();
    await expect(panel).toContainText("graph_id");
    await page.getByRole("tab", { name: "Raw" }).click();
    await expect(panel).toContainText("thread_id");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download JSON" }).click();
    expect((await download).suggestedFilename()).toMatch(/^thread-.*\.json$/);
    await page.getByRole("tab", { name: "Runs" }).click();
    await rows(page).first().getByRole("link").click();
    await expect(page).toHaveURL(/\/runs\/[\da-f-]{36}$/);
    await expect(page.getByText("Success")).toBeVisible();
  });

  test.describe("and of what is not there", () => {
    test.use({ expected: [/404|500/] });

    test("says that a thread does not exist, with 404, and leads to the others", async ({ page }) => {
      for (const id of ["6fa9e58d-c0d0-4fa6-a83f-21a9307f5a83", "no-uuid"]) {
        const answer = await page.goto(`${url()}${ROOM}/${id}`);
        expect(answer?.status()).toBe(404);
        await expect(page.getByText("There is no such thread")).toBeVisible();
        await expect(page.getByRole("main").getByText(id)).toBeVisible();
      }
      await hydrated(page);
      await expectAccessible(page);
      await page.getByRole("link", { name: "All threads" }).click();
      await expect(row(page, "About apples")).toBeVisible();
    });

    test("says that the threads could not be read, without placeholders for them, and reads them again", async ({
      page,
    }) => {
      const search = "**/threads/search";
      await page.route(search, (route) => route.fulfill({ status: 500, json: { detail: "Out of order" } }));
      await open(page, url() + ROOM);
      await expect(page.getByRole("alert").filter({ hasText: "The threads could not be loaded" })).toBeVisible();
      await expect(page.getByRole("grid")).toHaveCount(0);
      await page.unroute(search);
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(row(page, "About apples")).toBeVisible();
    });
  });
});

test.describe("with a server that restarts", () => {
  test.use({ expected: [/net::ERR_|Failed to load resource/] });

  test("the table says so, and is up to date when the server is back", async ({ page }) => {
    const first = await startServer();
    await makeThread(first.url, { title: "Before" });
    await open(page, first.url + ROOM);
    await expect(row(page, "Before")).toBeVisible();
    await first.crash();
    await expect(page.getByRole("main").getByText("Reconnecting…")).toBeVisible();
    await expect(row(page, "Before")).toBeVisible();
    const second = await startServer({ home: first.home, env: { PORT: new URL(first.url).port } });
    try {
      await makeThread(second.url, {}, "echo", "After the restart");
      await expect(row(page, "After the restart")).toBeVisible();
      await expect(page.getByRole("main").getByText("Reconnecting…")).toBeHidden();
    } finally {
      await second.stop();
    }
  });
});

test.describe("an application with authentication", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/guarded") }));

  for (const path of ["threads", "runs", "crons"]) {
    test(`has its ${path} behind the same door as the chat`, async ({ page }) => {
      await open(page, `${server().url}/deployments/default/${path}`);
      await expect(page.getByRole("heading", { name: "This application requires authentication" })).toBeVisible();
      await expect(page.getByRole("grid")).toHaveCount(0);
      await page.getByRole("textbox", { name: "Headers to send, one per line" }).fill("Authorization: Bearer nobody");
      await expectAccessible(page);
    });
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });
  const server = withServer(() => ({}));

  test("threads are cards, and nothing scrolls sideways", async ({ page }) => {
    await open(page, server().url + ROOM);
    await expect(page.getByText("No threads yet")).toBeVisible();
    await expectAccessible(page);
    await makeThread(server().url, { title: `Long ${"words ".repeat(50)}` });
    const id = await makeThread(server().url, {}, "approval", "Tell Ada that her order ships");
    await expect(row(page, "Long words")).toBeVisible();
    await expect(row(page, "Tell Ada")).toContainText("Waiting");
    expect(await isWide(page)).toBe(false);
    await page.goto(`${server().url}${ROOM}/${id}`);
    await expect(card(page)).toBeVisible();
    expect(await isWide(page)).toBe(false);
  });
});
