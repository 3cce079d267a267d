import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, type Page } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { DESKTOP, expectAccessible, hold, open, PHONE, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });

const server = withServer(() => ({}));
const chat = (assistant = "echo"): string => `${server().url}/deployments/default/chat?assistant=${assistant}`;

/** A picture of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const picture = { name: "dot.png", mimeType: "image/png", buffer: PNG };
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("first\n<b>second</b>\n") };

const field = (page: Page) => page.getByRole("textbox", { name: /^Message/ });
const chips = (page: Page) => page.getByRole("list", { name: "Attached files" }).getByRole("listitem");
const answers = (page: Page) => page.getByRole("article");
const problems = (page: Page) => page.getByRole("form", { name: "Message" }).getByRole("alert");
const input = (page: Page) => page.locator("input[type=file]");

async function answered(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
}

for (const [device, viewport, colorScheme] of [
  ["desktop, light", DESKTOP, "light"] as const,
  ["phone, dark", PHONE, "dark"] as const,
]) {
  test.describe(device, () => {
    test.use({ viewport, colorScheme });

    test("files are attached by the dialog, told with size and type, sent, opened and kept after a reload", async ({
      page,
    }) => {
      await open(page, chat());
      const choosing = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Attach files" }).click();
      await (await choosing).setFiles([picture, notes]);
      await expect(chips(page)).toHaveCount(2);
      await expect(chips(page).first()).toContainText("dot.png");
      await expect(chips(page).first()).toContainText("70 B · image/png");
      await expect(chips(page).last()).toContainText("20 B · text/plain");
      await expectAccessible(page);
      await field(page).fill("What is this?");
      await page.getByRole("button", { name: "Send" }).click();
      await answered(page);
      await expect(chips(page)).toHaveCount(0);
      await page.reload();
      await expect(answers(page)).toContainText("a text file of 2 lines: notes.txt");
      await expect(answers(page)).toContainText("an image (image/png)");
      const file = answers(page).getByRole("group", { name: "File notes.txt" });
      await file.locator("summary").click();
      await expect(file).toContainText("<b>second</b>");
      await page.getByRole("button", { name: "Open dot.png" }).click();
      const dialog = page.getByRole("dialog", { name: "dot.png" });
      await expect(dialog.getByRole("img", { name: "dot.png" })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(page.getByRole("button", { name: "Open dot.png" })).toBeFocused();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    });
  });
}

test("by the keyboard alone: files are removed and sent without a word, and an edit keeps them", async ({ page }) => {
  await open(page, chat());
  await input(page).setInputFiles([picture, notes, notes]);
  await expect(chips(page)).toHaveCount(3);
  await expect(chips(page).last()).toContainText("notes (2).txt");
  await field(page).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("button", { name: "Remove notes (2).txt" })).toBeFocused();
  await page.keyboard.press("Delete");
  await expect(chips(page)).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Remove notes.txt" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove dot.png" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await answered(page);
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("dot.png");

  await field(page).press("ArrowUp");
  await expect(chips(page)).toHaveCount(1);
  await page.keyboard.type("Now with words");
  await page.keyboard.press("Enter");
  await expect(answers(page).locator(".markdown")).toContainText("Now with words");
  await expect(answers(page).locator(".markdown")).toContainText("an image (image/png)");
  await expect(page.getByRole("group", { name: "Branch 2 of 2" })).toBeVisible();

  const thread = new URL(page.url()).searchParams.get("thread") ?? "";
  const client = new Client({ apiUrl: server().url, apiKey: null });
  const { values } = await client.threads.getState<{ messages: { content: unknown }[] }>(thread);
  expect(values.messages[0]?.content).toEqual([
    { type: "text", text: "Now with words" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG.toString("base64")}` } },
  ]);
});

test("files are pasted into the field, and dropped anywhere on the page", async ({ page }) => {
  await open(page, chat());
  const transfer = await page.evaluateHandle((base64) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], "pasted.png", { type: "image/png" }));
    return data;
  }, PNG.toString("base64"));
  await field(page).evaluate((element, data) => {
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, transfer);
  await expect(chips(page)).toContainText(["pasted.png"]);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  await expect(page.getByText("Drop images or text files to attach them")).toBeVisible();
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await expect(chips(page)).toContainText(["pasted.png", "pasted (2).png"]);
  await expect(page.getByText("Drop images or text files")).toBeHidden();
});

test("files that cannot be sent are told with the limits, and hostile names and contents are text", async ({
  page,
}) => {
  await open(page, chat());
  const html = "<img src=x onerror=alert(1)>.svg";
  await input(page).setInputFiles([
    { name: html, mimeType: "image/svg+xml", buffer: Buffer.from('<svg onload="alert(1)"/>') },
    { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) },
    { name: "report.pdf", mimeType: "application/pdf", buffer: Buffer.from([0x25, 0x50, 0xff, 0]) },
    { name: "large.txt", mimeType: "text/plain", buffer: Buffer.alloc(600 * 1024, "x") },
    { name: "huge.png", mimeType: "image/png", buffer: Buffer.concat([PNG, Buffer.alloc(4 * 1024 * 1024)]) },
    { name: "huge.txt", mimeType: "text/plain", buffer: Buffer.alloc(4 * 1024 * 1024, "x") },
  ]);
  await expect(problems(page)).toContainText("empty.txt is empty");
  await expect(problems(page)).toContainText("report.pdf is neither an image");
  await expect(problems(page)).toContainText("large.txt is larger than 512 KB");
  await expect(problems(page)).toContainText("huge.png is larger than 3.5 MB");
  await expect(problems(page)).toContainText("huge.txt is larger than 512 KB");
  await expect(problems(page)).toContainText("ten files and 6.5 MB in all");
  await expect(chips(page)).toHaveCount(1);
  await expect(chips(page)).toContainText("onerror=alert(1)");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send" }).click();
  await answered(page);
  await expect(answers(page).locator("img, svg[onload]")).toHaveCount(0);
  await expect(answers(page).getByRole("group", { name: /^File/ })).toContainText("onerror=alert(1)");
});

test("blocks of other clients are shown: images, also of tools, and unknown ones as folded JSON", async ({ page }) => {
  const client = new Client({ apiUrl: server().url, apiKey: null });
  const data = PNG.toString("base64");
  const { thread_id } = await client.threads.create({ graphId: "echo", metadata: { title: "Of a client" } });
  const image = { type: "image", mimeType: "image/png", data, metadata: { name: "theirs.png" } };
  await client.threads.updateState(thread_id, {
    values: {
      messages: [
        { type: "human", id: "q", content: [{ type: "text", text: "Look" }, image, { type: "video", url: "x" }] },
        { type: "ai", id: "a", content: "", tool_calls: [{ id: "c", name: "draw", args: {} }] },
        { type: "tool", id: "t", tool_call_id: "c", content: [{ type: "text", text: "done" }, image] },
        {
          type: "ai",
          id: "b",
          content: [
            { type: "text", text: "Drawn" },
            { type: "hologram", depth: 3 },
          ],
        },
      ],
    },
    asNode: "echo",
  });
  await open(page, `${server().url}/deployments/default/chat?thread=${thread_id}`);
  await expect(page.getByRole("button", { name: "Open theirs.png" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Content video" })).toBeVisible();
  const unknown = page.getByRole("group", { name: "Content hologram" });
  await unknown.locator("summary").click();
  await expect(unknown).toContainText('"depth": 3');
  const tool = page.getByRole("group", { name: "Tool draw" });
  await tool.locator("summary").click();
  await expect(tool.getByRole("button", { name: "Open Image" })).toBeVisible();
  await expectAccessible(page);
});

test.describe("over a restart of the server", () => {
  test.use({ expected: [/net::ERR_/] });

  test("an answer to a question with files goes on, and what is typed meanwhile stays", async ({ page }) => {
    const app = join(import.meta.dirname, "../client/apps/chat");
    const first = await startServer({ app });
    await open(page, `${first.url}/deployments/default/chat?assistant=slow`);
    await input(page).setInputFiles([picture, notes]);
    await expect(chips(page)).toHaveCount(2);
    await field(page).fill("Count");
    await page.keyboard.press("Enter");
    await expect(answers(page).locator(".markdown")).toContainText("3 ");
    await first.crash();
    await expect(page.getByText("nothing of it is lost")).toBeVisible();
    await expect(page.getByRole("button", { name: "Try now" })).toBeVisible();
    await expect(page.getByText(/Next try in \d+ s/)).toBeVisible();
    await expectAccessible(page);
    await field(page).fill("Typed meanwhile");
    const second = await startServer({ home: first.home, app, env: { PORT: new URL(first.url).port } });
    try {
      await answered(page);
      await expect(answers(page).locator(".markdown")).toContainText("57 58 59");
      await expect(answers(page).locator(".markdown")).not.toContainText("59 0");
      await expect(field(page)).toHaveValue("Typed meanwhile");
      await expect(page.getByText("Reconnecting…")).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole("button", { name: "Open dot.png" })).toBeVisible();
      await expect(answers(page).locator(".markdown")).toContainText("57 58 59");
    } finally {
      await second.stop();
    }
  });

  test("a question that was not sent keeps its files, and Try now and Retry send it", async ({ page }) => {
    const first = await startServer();
    await open(page, `${first.url}/deployments/default/chat?assistant=echo`);
    await input(page).setInputFiles([picture]);
    await expect(chips(page)).toHaveCount(1);
    await first.crash();
    await expect(page.getByText("What you type is kept here until you send it.")).toBeVisible();
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Not sent" })).toContainText("kept here");
    await expect(page.getByRole("button", { name: "Open dot.png" })).toBeVisible();
    const second = await startServer({ home: first.home, env: { PORT: new URL(first.url).port } });
    try {
      const again = page.getByRole("button", { name: "Try now" });
      // It may have reconnected by itself.
      if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined);
      await expect(page.getByText("Reconnecting…")).toHaveCount(0);
      await page.getByRole("button", { name: "Retry" }).click();
      await answered(page);
      await expect(answers(page).locator(".markdown")).toContainText("an image (image/png)");
    } finally {
      await second.stop();
    }
  });
});

test("text that is typed before the page is hydrated stays", async ({ page }) => {
  const release = await hold(page, "**/*.js");
  await page.goto(chat(), { waitUntil: "commit" });
  await field(page).fill("Early words");
  release();
  await expect(page.getByRole("button", { name: "Send" })).toBeEnabled();
  await expect(field(page)).toHaveValue("Early words");
});
