/** What the Studio says is for readers: fields instead of keys, and Markdown without its marks. */
import { expect } from "@playwright/test";
import { expectAccessible, test, withServer } from "./fixtures.ts";
import { details, enterAt, isDone, run, send, status, steps, tab, withStudio } from "./studio-page.ts";

const { enter } = withStudio();

test("a run beyond the recursion limit names the field that sets it, from which Ctrl Enter runs again", async ({
  page,
}) => {
  await enter(page, "loop");
  await run(page);
  await expect(status(page)).toHaveText("Failed");
  const failure = details(page).getByRole("alert").filter({ hasText: "GraphRecursionError" });
  await expect(failure).toContainText("Recursion limit");
  await expectAccessible(page);
  await failure.getByRole("button", { name: "Open the Input tab" }).click();
  await details(page).getByRole("textbox", { name: "Recursion limit" }).fill("200");
  await page.keyboard.press("Control+Enter");
  await isDone(page);
});

test("a request of a tool is read without the marks of Markdown, in the log and in its card", async ({ page }) => {
  await enter(page, "review");
  await run(page);
  const card = details(page).getByRole("region", { name: "Waiting for you" });
  await expect(card.locator("strong")).toHaveText("send_email");
  await expect(steps(page).last()).toContainText("Before send_email");
  await expect(details(page)).not.toContainText("**");
});

test("a node shows the prompt that it takes, whose it is, and what it wrote", async ({ page }) => {
  await enter(page, "configured", "?node=answer&tab=node");
  const prompts = details(page).getByRole("region", { name: "Prompts" });
  await expect(prompts).toContainText("You are kind.");
  await expect(prompts).toContainText("default of the graph");
  await send(page, "Who are you?");
  await isDone(page);
  await tab(page, "Node").click();
  await expect(details(page).getByRole("region", { name: "In this run" })).toContainText("Wrotemessages");
  await expectAccessible(page);
  await prompts.getByRole("link", { name: "Edit in Assistants" }).click();
  await expect(page.getByRole("textbox", { name: "System prompt" })).toBeVisible();
});

test.describe("with the graphs that come along", () => {
  const bundled = withServer(() => ({}));

  test("a model's text is Markdown, as in the chat", async ({ page }) => {
    await enterAt(page, bundled().url, "agent");
    await send(page, "What is 12 * 7?");
    await isDone(page);
    await expect(steps(page).last().locator("strong")).toHaveText("84");
    await tab(page, "State").click();
    await expect(details(page).getByRole("listitem").locator("strong")).toHaveText("84");
    await expectAccessible(page);
  });
});
