import { join } from "node:path";
import { expect } from "@playwright/test";
import { DESKTOP, expectAccessible, open, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({ app: join(import.meta.dirname, "apps/edge-cases") }));
const chat = (assistant: string): string => `${server().url}/deployments/default/chat?assistant=${assistant}`;

test("stop ends a long answer, keeps its text so far, and frees the server", async ({ page }) => {
  await open(page, chat("slow"));
  await page.getByRole("button", { name: "Take your time", exact: true }).click();
  const answer = page.getByRole("article").locator(".markdown");
  await expect(answer).toContainText("counting counting");
  const before = (await answer.innerText()).length;
  await expect.poll(async () => (await answer.innerText()).length).toBeGreaterThan(before);
  await page.keyboard.press("Escape");
  await expect(page.getByText("Stopped")).toBeVisible();
  const after = await answer.innerText();
  await page.waitForTimeout(400);
  expect(await answer.innerText()).toBe(after);
  await expect
    .poll(async () => {
      await open(page, `${server().url}/deployments/default`);
      return page.getByText("Running now").locator("..").innerText();
    })
    .toMatch(/Running now\s+0/);
});

test("a reload in mid-answer goes on with the same answer, without a lost or doubled token", async ({ page }) => {
  await open(page, chat("count"));
  await page.getByRole("button", { name: "Count", exact: true }).click();
  const answer = page.getByRole("article").locator(".markdown");
  await expect(answer).toContainText("word-20");
  await page.reload();
  await expect(page.getByRole("article")).toContainText("Count");
  await expect(answer).toContainText("word-299", { timeout: 60_000 });
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
  const words = (await answer.innerText()).trim().split(/\s+/);
  expect(words).toEqual(Array.from({ length: 300 }, (_, index) => `word-${index}`));
});

test("a stopped answer is shown as stopped after a reload, with its text so far", async ({ page }) => {
  await open(page, chat("slow"));
  await page.getByRole("button", { name: "Take your time", exact: true }).click();
  const answer = page.getByRole("article").locator(".markdown");
  await expect(answer).toContainText("counting counting");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped")).toBeVisible();
  const text = await answer.innerText();
  await page.reload();
  await expect(page.getByText("Stopped")).toBeVisible();
  await expect.poll(() => answer.innerText()).toBe(text);
});

test("a graph that waits without a schema gets a field for words, and the answer reaches it", async ({ page }) => {
  await open(page, chat("asks"));
  await page.getByRole("textbox", { name: /Message/ }).fill("Begin");
  await page.keyboard.press("Enter");
  const card = page.getByRole("region", { name: "Waiting for you" });
  await expect(card).toContainText("How old are you?");
  await expect(card.getByRole("button", { name: "Answer" })).toBeDisabled();
  await card.getByRole("textbox", { name: "Your answer" }).fill("42");
  await card.getByRole("button", { name: "Answer" }).click();
  await expect(page.getByRole("article")).toContainText("You said 42");
  await expect(card).toBeHidden();
});

test("a graph that fails shows what happened, keeps the text so far, and offers Retry", async ({ page }) => {
  await open(page, chat("fails"));
  await page.getByRole("textbox").fill("Go on");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert").filter({ hasText: "RangeError" });
  await expect(alert).toContainText("value 12 is out of range");
  await expect(alert.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(page.getByRole("article")).toContainText("Let me try.");
  await expect(page.getByRole("navigation", { name: "Threads" })).toContainText("Failed");
  await expectAccessible(page);
  await page.reload();
  await expect(alert).toContainText("value 12 is out of range");
  await expect(page.getByRole("article")).toContainText("Let me try.");

  await open(page, `${server().url}/deployments/default`);
  await expect(page.getByRole("region", { name: "Latest errors" })).toContainText("value 12 is out of range");
});

test("what an answer says is shown, never done", async ({ page }) => {
  await open(page, chat("hostile"));
  await page.getByRole("textbox").fill("Hello");
  await page.keyboard.press("Enter");
  const answer = page.getByRole("article").locator(".markdown");
  await expect(answer).toContainText("docs");
  const links = await answer.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual(["https://example.org/docs", "mailto:a@example.org"]);
  await expect(answer.locator("img, script, iframe, style, object, svg")).toHaveCount(0);
  await expect(answer).toContainText("[image: leak]");
  await expect(answer).toContainText('<script>document.title = "owned"</script>');
  await expect(page).toHaveTitle(/^Chat/);
});

test("a graph that takes data says so and runs an example", async ({ page }) => {
  await open(page, chat("score"));
  await expect(page.getByText("This graph takes data, not messages")).toBeVisible();
  await page.getByRole("button", { name: "Run it here" }).click();
  await expect(page.getByRole("region", { name: "Events of the run" })).toContainText('{"measure":{"score":8}}');
  await expectAccessible(page);
});

test("a graph that did not load is named with its reason, and the others serve", async ({ page }) => {
  await open(page, `${server().url}/deployments/default`);
  await expect(page.getByRole("heading", { level: 1 }).locator("..")).toContainText("Degraded");
  await expect(page.getByText("1 graph did not load").locator("..")).toContainText("grahp");
  await expectAccessible(page);
  await open(page, chat("misnamed"));
  await expect(page.getByText("This graph did not load")).toBeVisible();
  await expect(page.getByLabel("Assistant")).toContainText("misnamed (did not load)");
});

test("a page stays as the server sent it when the connection opens before its first frame", async ({ page }) => {
  await page.addInitScript(() => {
    // React moves streamed HTML into its place in the first frame.
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (draw) => frame(() => setTimeout(draw, 1500));
    new MutationObserver(() => {
      const sent = document.querySelector('[hidden][id^="S:"] main');
      if (sent) Object.assign(window, { sent });
    }).observe(document, { childList: true, subtree: true });
  });
  await open(page, chat("misnamed"));
  expect(await page.evaluate(() => "sent" in window && window.sent === document.querySelector("main"))).toBe(true);
});

test.describe("when the worker is killed", () => {
  test("the page shows it by itself, and shows when another one serves", async ({ page }) => {
    await open(page, `${server().url}/deployments/default`);
    const worker = page.getByRole("region", { name: "Worker" });
    const pid = Number(await worker.getByText("Process").locator("..").locator("dd").innerText());
    process.kill(pid, "SIGKILL");
    await expect(worker).toContainText("Last crash");
    await expect(worker.locator("header, div").first()).toContainText("Ready");
    await expect(worker.getByText("Process").locator("..").locator("dd")).not.toHaveText(`${pid}`);
    await expect(page.getByRole("region", { name: "Latest errors" })).toContainText("SIGKILL");
  });
});
