import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { DESKTOP, expectAccessible, hydrated, open, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

test.describe("a server with a key", () => {
  const KEY = "a-key-for-the-tests";
  const server = withServer(() => ({ env: { GRAPHLIB_API_KEY: KEY } }));
  test.use({ expected: [/401|429/] });

  test("shows nothing before the sign-in, then leads to the requested page", async ({ page, context }) => {
    await page.goto(`${server().url}/deployments/default`);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    expect(await page.content()).not.toContain("approval");
    await expect(page.getByText("GRAPHLIB_API_KEY")).toBeVisible();
    await expect(page.getByText("accounts of the deployed applications do not work here")).toBeVisible();
    await expectAccessible(page);

    await page.getByLabel("API key").fill("not the key");
    await page.keyboard.press("Enter");
    await expect(page.getByText("This is not the key")).toBeVisible();
    await expectAccessible(page);

    await page.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${server().url}/deployments/default`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    expect(cookie?.value).not.toContain(KEY);
    await expect(page.getByRole("region", { name: "Quick start", exact: true })).toContainText("$GRAPHLIB_API_KEY");

    await open(page, `${server().url}/deployments/default/chat`);
    await page.getByRole("textbox").fill("What is 12 * 7?");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("article")).toContainText("= 84");

    await page.getByRole("textbox").fill("not for the next user of this browser");
    const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    expect(await kept()).toContain("not for the next user");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    expect(await kept()).not.toContain("not for the next user");
    await page.goto(`${server().url}/`);
    await expect(page).toHaveURL(/\/sign-in/);
  });

  test("leads to no other host after the sign-in", async ({ page }) => {
    await page.goto(`${server().url}/sign-in?next=//evil.example/`);
    await page.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${server().url}/`);
  });

  test("after wrong guesses, the wait is announced once, and the button counts down", async ({ page }) => {
    // A separate server, because this one locks the address out for the rest of the minute.
    const guessed = await startServer({ env: { GRAPHLIB_API_KEY: KEY } });
    await page.goto(`${guessed.url}/sign-in`);
    const field = page.getByLabel("API key");
    for (let n = 0; n < 10; n++) {
      await field.fill(`guess ${n}`);
      await page.keyboard.press("Enter");
      await expect(page.getByText("This is not the key")).toBeVisible();
      await expect(field).toHaveValue("");
    }
    await field.fill(KEY);
    await page.keyboard.press("Enter");
    const notice = page.getByRole("status").filter({ hasText: "Too many wrong keys from your address" });
    await expect(notice).toBeVisible();
    const words = await notice.textContent();
    await expect(page.getByRole("alert").filter({ hasText: /key/ })).toHaveCount(0);
    const button = page.getByRole("button", { name: /^Try again in \d+ s$/ });
    await expect(button).toBeDisabled();
    const before = await button.textContent();
    await expect(button).not.toHaveText(before ?? "");
    expect(await notice.textContent()).toBe(words);
    await expectAccessible(page);
    expect(page.url()).not.toContain("key");
    await guessed.stop();
  });

  test("a sign-out everywhere ends the sessions of other browsers, and what they look at", async ({
    page,
    browser,
  }) => {
    const signInAt = async (one: Page): Promise<void> => {
      await one.goto(`${server().url}/sign-in`);
      await one.getByLabel("API key").fill(KEY);
      await one.keyboard.press("Enter");
      await expect(one.getByText("Platform healthy")).toBeVisible();
    };
    const another = await browser.newContext();
    const elsewhere = await another.newPage();
    await signInAt(elsewhere);
    await signInAt(page);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(elsewhere).toHaveURL(/\/sign-in/);
    await another.close();
  });

  test("a session that ended is noticed by the page", async ({ page, context }) => {
    // Waits for the event stream: opened without a session, it would redirect to the sign-in page at once.
    const followed = page.waitForResponse((answer) => answer.url().includes("threads=true") && answer.ok());
    await page.goto(`${server().url}/sign-in?next=/deployments/default/chat`);
    await page.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${server().url}/deployments/default/chat`);
    await followed;
    await hydrated(page);
    await context.clearCookies();
    await page.getByRole("textbox").fill("Hello");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert").filter({ hasText: "Signed out" })).toBeVisible();
    await page.getByRole("link", { name: "Sign in" }).click();
    await expect(page.getByLabel("API key")).toBeVisible();
  });
});

test.describe("an application whose configuration cannot be read", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/broken") }));

  test("is shown with the file, the place and what to do", async ({ page }) => {
    await page.goto(`${server().url}/`);
    await expect(page.getByRole("row", { name: /default/ })).toContainText("Failed");
    await page.goto(`${server().url}/deployments/default`);
    const notice = page.getByText("The configuration is invalid").locator("..");
    await expect(notice).toContainText("graphlib.json");
    await expect(notice).toContainText("Fix the file");
    await expectAccessible(page);
    await page.goto(`${server().url}/deployments/default/chat`);
    await expect(page.getByText("No assistant to chat with")).toBeVisible();
  });
});
