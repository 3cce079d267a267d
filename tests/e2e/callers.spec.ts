import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { call, untilState } from "../support/control.ts";
import { raw } from "../support/raw.ts";
import { DESKTOP, expectAccessible, hydrated, open, PHONE, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const CHAT = "/deployments/default/chat";
const HEADING = "This application requires authentication";

async function send(page: Page, question: string): Promise<void> {
  const field = page.getByRole("textbox", { name: /message/i });
  // The page loads again when the code is accepted.
  await expect(field).toBeVisible();
  await hydrated(page);
  await field.fill(question);
  await page.keyboard.press("Enter");
}
const answers = (page: Page) => page.getByRole("article");
const conversations = (page: Page) => page.getByRole("navigation", { name: "Threads" }).getByRole("listitem");

test.describe("an application with authentication, on a server without key", () => {
  // The browser logs an error for every wrong code.
  test.use({ expected: [/401/] });
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/guarded") }));
  const link = () => /Console\s+(\S+)/.exec(server().output())?.[1]?.replace("localhost", "127.0.0.1") ?? "";

  test("refuses a console without a session, which says why and what to do", async ({ page, request }) => {
    await open(page, server().url + CHAT);
    await expect(page.getByRole("heading", { name: HEADING })).toBeVisible();
    await expect(page.getByText("Open the console with the link")).toBeVisible();
    await expect(page.getByRole("textbox", { name: /message/i })).toHaveCount(0);
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
    // The response has neither a cookie nor the code.
    const code = new URL(link()).searchParams.get("code") ?? "";
    expect(code).toHaveLength(32);
    expect(await page.content()).not.toContain(code);
    expect((await request.get(`${server().url}/sign-in/link?code=wrong`)).headers()["set-cookie"]).toBeUndefined();
  });

  test("is chatted with as a studio user by the link that the server prints", async ({ page, context }) => {
    await page.goto(link());
    await expect(page).toHaveURL(`${server().url}/`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await open(page, server().url + CHAT);
    await send(page, "Good morning");
    await expect(answers(page)).toContainText("Hello langgraph-studio-user, StudioUser");
    await expect(conversations(page)).toHaveCount(1);
    await page.reload();
    await expect(answers(page)).toContainText("Hello langgraph-studio-user");
    await expectAccessible(page);

    // The cookie alone is not enough: the request must be same-origin by the browser's Sec-Fetch-Site header.
    const session = `${cookie?.name}=${cookie?.value}`;
    const search = (headers: Record<string, string>) => raw(`${server().url}/threads/search`, { headers, body: "{}" });
    for (const site of [undefined, "none", "same-site", "cross-site"]) {
      const headers = { cookie: session, origin: "http://evil.test", ...(site && { "sec-fetch-site": site }) };
      expect((await search(headers)).status).toBe(403);
    }
    expect((await search({ "sec-fetch-site": "same-origin" })).status).toBe(401);
    const code = new URL(link()).searchParams.get("code") ?? "";
    expect((await search({ "x-api-key": code, authorization: `Bearer ${code}-` })).status).toBe(401);
  });

  test("accepts the code as typed, and each caller sees their own threads", async ({ page }) => {
    await open(page, server().url + CHAT);
    await page.getByLabel("Link or code").fill("not the code");
    await page.keyboard.press("Enter");
    await expect(page.getByText("This is not the code of this server.")).toBeVisible();
    await page.getByLabel("Link or code").fill(link());
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: /message/i })).toBeVisible();
    await send(page, "It is me");
    await expect(answers(page)).toContainText("Hello langgraph-studio-user");

    await page.getByRole("button", { name: "Calls as: Studio user" }).click();
    await expectAccessible(page, "[role=dialog]");
    await page.getByLabel("Headers to send").fill("Authorization Bearer ada");
    await page.getByRole("button", { name: "Use these headers" }).click();
    await expect(page.getByRole("alert")).toContainText("is no header");
    await page.getByLabel("Headers to send").fill("Authorization: Bearer ada");
    await page.getByRole("button", { name: "Use these headers" }).click();
    await expect(page.getByRole("button", { name: "Calls as: Custom headers" })).toBeVisible();
    await expect(page.getByText("None yet.")).toBeVisible();
    await send(page, "It is Ada");
    await expect(answers(page)).toContainText("Hello ada, a user");
    await expect(conversations(page)).toHaveCount(1);
    await page.reload();
    await expect(answers(page)).toContainText("Hello ada");

    await page.getByRole("button", { name: "Calls as: Custom headers" }).click();
    await page.getByRole("button", { name: "Remove these headers" }).click();
    await expect(page.getByRole("button", { name: "Calls as: Studio user" })).toBeVisible();
    await expect(conversations(page).first()).toContainText("It is me");
  });
});

test.describe("a deployed application with authentication", () => {
  const server = withServer(() => ({}));

  test("asks for the code, as no link was printed for it, and accepts that", async ({ page }) => {
    const source = { type: "folder", path: join(import.meta.dirname, "apps/deployed-guarded") };
    await call(server(), "POST", "/deployments", { name: "guarded", source });
    await untilState(server(), "guarded", ["live"]);
    expect(server().output()).not.toContain("sign-in/link");
    await open(page, `${server().url}/deployments/guarded/chat`);
    await expect(page.getByRole("heading", { name: HEADING })).toBeVisible();
    await expect(page.getByText("Open the console with the link")).toHaveCount(0);
    await expect(page.getByText("Enter the code from the file console-code")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Code", { exact: true }).fill(readFileSync(join(server().home, "console-code"), "utf8"));
    await page.keyboard.press("Enter");
    await send(page, "Good morning");
    await expect(answers(page)).toContainText("Hello langgraph-studio-user");
  });
});

test.describe("an application that disables studio authentication", () => {
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/studio-disabled") }));
  test.use({ expected: [/40[13]/] });

  test("says so, and is chatted with by custom headers, for as long as the tab is open", async ({ page, context }) => {
    await open(page, server().url + CHAT);
    await expect(page.getByRole("heading", { name: HEADING })).toBeVisible();
    await expect(page.getByText("auth.disable_studio_auth")).toBeVisible();
    await expect(page.getByLabel("Link or code")).toHaveCount(0);
    await expectAccessible(page);
    await page.getByLabel("Headers to send").fill("Authorization: Bearer ada\nX-Team: blue");
    await page.getByRole("button", { name: "Use these headers" }).click();
    await send(page, "Good morning");
    await expect(answers(page)).toContainText("Hello ada, a user");
    expect(await context.cookies()).toEqual([]);
    const another = await context.newPage();
    await open(another, server().url + CHAT);
    await expect(another.getByRole("heading", { name: HEADING })).toBeVisible();
    await another.close();
  });

  test("has its refusal of a caller shown", async ({ page }) => {
    await open(page, server().url + CHAT);
    await page.getByLabel("Headers to send").fill("Authorization: Bearer eve");
    await page.getByRole("button", { name: "Use these headers" }).click();
    await send(page, "Good morning");
    const refusal = page.getByRole("alert").filter({ hasText: "The application refused the request (403)" });
    await expect(refusal).toContainText("Change the headers");
    await page.getByRole("button", { name: "Calls as: Custom headers" }).click();
    await page.getByLabel("Headers to send").fill("Authorization: Basic x");
    await page.getByRole("button", { name: "Use these headers" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "The threads could not be loaded" })).toContainText(
      "Who are you?",
    );
  });

  test("has its settings without effect shown", async ({ page }) => {
    await open(page, `${server().url}/deployments/default`);
    const notice = page.getByText("1 note on the configuration").locator("..");
    await expect(notice).toContainText("ui");
    await expectAccessible(page);
  });
});

test.describe("an application with authentication, on a server with a key", () => {
  const KEY = "a-key-for-the-tests";
  const server = withServer(() => ({
    app: join(import.meta.dirname, "apps/guarded"),
    env: { GRAPHLIB_API_KEY: KEY },
  }));

  test("is chatted with by a signed-in visitor, as the operator or by custom headers", async ({ page }) => {
    expect(server().output()).not.toContain("code=");
    await page.goto(`${server().url}/sign-in/link?code=${KEY}`);
    await expect(page).toHaveURL(/\/sign-in/);
    await page.goto(`${server().url}/sign-in?next=${CHAT}`);
    await page.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await hydrated(page);
    await send(page, "Good morning");
    await expect(answers(page)).toContainText("Hello operator");
    await page.getByRole("button", { name: "Calls as: Operator" }).click();
    await page.getByLabel("Headers to send").fill("Authorization: Bearer ada");
    await page.getByRole("button", { name: "Use these headers" }).click();
    await expect(page.getByText("None yet.")).toBeVisible();
  });
});
