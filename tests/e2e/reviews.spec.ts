/** Tests the chat with interrupts of public packages: LangChain's middleware, and LangGraph before 0.3. */
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { installedApp } from "../support/installed-app.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { DESKTOP, expectAccessible, open, PHONE, test } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

const answers = (page: Page) => page.getByRole("article");
const card = (page: Page) => page.getByRole("region", { name: "Waiting for you" });
const press = (page: Page, name: string) => card(page).getByRole("button", { name, exact: true }).press("Enter");

async function send(page: Page, question: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Message/ }).fill(question);
  await page.keyboard.press("Enter");
}

/** Starts a server for the application with its own packages. Skips the tests if they cannot be installed. */
function withInstalled(app: string): () => string {
  let server: TestServer | undefined;
  test.beforeAll(async () => {
    const folder = installedApp(join(import.meta.dirname, "apps", app));
    test.skip(folder === undefined, "left out: the packages of this application can't be installed here");
    server = await startServer({ app: folder });
  });
  test.afterAll(async () => {
    await server?.stop();
  });
  return () => `${server?.url}/deployments/default/chat`;
}

test.describe("a LangChain agent with tools that need approval", () => {
  const chat = withInstalled("reviewed");
  const mailer = (): string => `${chat()}?assistant=mailer`;

  test("is what the chat starts with: the first graph of the configuration that takes messages", async ({ page }) => {
    await open(page, chat());
    await expect(page.getByRole("textbox", { name: "Message to mailer" })).toBeVisible();
    await expect(page.getByRole("combobox").getByRole("option")).toHaveText(["notes", "mailer", "inbox"]);
  });

  test("has its call approved", async ({ page }) => {
    await open(page, mailer());
    await send(page, "Write to Ada");
    await expect(card(page)).toContainText("Run send_email?");
    await expect(card(page)).toContainText("ada@example.org");
    await expect(card(page)).not.toContainText("Args:");
    await expectAccessible(page);
    await press(page, "Approve");
    await expect(answers(page)).toContainText("sent 1 to ada@example.org: It ships on Friday");
    await expect(card(page)).toHaveCount(0);
  });

  test("has its call edited, each argument in its kind, after a reload", async ({ page }) => {
    await open(page, mailer());
    await send(page, "Write to Ada");
    await expect(card(page)).toBeVisible();
    await page.reload();
    await press(page, "Edit");
    await expect(card(page).getByLabel("To")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(card(page).getByRole("button", { name: "Edit", exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await card(page).getByLabel("Body").fill("It ships on Monday");
    await card(page).getByLabel("Copies").fill("two");
    await expect(card(page).getByRole("button", { name: "Send answer" })).toBeDisabled();
    await card(page).getByLabel("Copies").fill("2");
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
    await press(page, "Send answer");
    await expect(answers(page)).toContainText("sent 2 to ada@example.org: It ships on Monday");
  });

  test("has its call rejected with a reason, which the model receives", async ({ page }) => {
    await open(page, mailer());
    await send(page, "Write to Ada");
    await press(page, "Reject");
    await card(page).getByLabel("Reason").fill("Ask her first");
    await press(page, "Reject");
    await expect(answers(page)).toContainText("Ask her first");
    await expect(answers(page)).not.toContainText("sent 1");
  });

  test("has two calls decided one by one by the keyboard, each as far as it is allowed, and sent together", async ({
    page,
  }) => {
    await open(page, mailer());
    await send(page, "Do both");
    await expect(card(page)).toContainText("Run these 2 tool calls?");
    const call = (name: string) => card(page).getByRole("listitem", { name });
    await expect(call("delete_file").getByRole("button")).toHaveText(["Approve", "Reject"]);
    await expect(card(page).getByRole("button", { name: "Send decisions" })).toBeDisabled();
    await call("send_email").getByRole("button", { name: "Approve" }).press("Enter");
    await expect(call("send_email").getByRole("button", { name: "Change" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(call("send_email").getByRole("button", { name: "Approve" })).toBeFocused();
    await page.keyboard.press("Enter");
    await call("delete_file").getByRole("button", { name: "Reject" }).press("Enter");
    await call("delete_file").getByRole("button", { name: "Reject" }).press("Enter");
    await expect(call("delete_file")).toContainText("Rejected");
    await call("delete_file").getByRole("button", { name: "Change" }).press("Enter");
    await call("delete_file").getByRole("button", { name: "Approve" }).press("Enter");
    await expect(card(page)).toContainText("2 of 2 decided");
    await expectAccessible(page);
    await press(page, "Send decisions");
    await expect(answers(page)).toContainText("sent 1 to ada@example.org: It ships on Friday / deleted old.txt");
  });

  test("with an interrupt of the Agent Inbox is answered in its form", async ({ page }) => {
    await open(page, `${chat()}?assistant=inbox`);
    await send(page, "Go on");
    await expect(card(page)).toContainText("Look first");
    await press(page, "Approve");
    await expect(answers(page)).toContainText('answered {"type":"accept","args":null}');
  });
});

test.describe("a graph of LangGraph 0.2", () => {
  const chat = withInstalled("older");

  test("is answered as soon as it asks, without a reload, as often as it asks", async ({ page }) => {
    await open(page, chat());
    await send(page, "Go on");
    await expect(card(page)).toContainText("What is your name?");
    await card(page).getByLabel("Your answer").fill("Ada");
    await press(page, "Answer");
    await expect(card(page)).toContainText("Which colour?");
    await page.reload();
    await expect(card(page)).toHaveCount(1);
    await press(page, "Blue");
    await expect(answers(page)).toContainText("Ada likes blue");
    await expect(card(page)).toHaveCount(0);
  });
});
