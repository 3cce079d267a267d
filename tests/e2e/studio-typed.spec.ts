/** Tests that the Studio loses nothing that is typed, and that what it shows belongs together while it reads something. */
import { expect, type Page } from "@playwright/test";
import { hold, test } from "./fixtures.ts";
import {
  details,
  inputField,
  isDone,
  messageField,
  run,
  scrubber,
  send,
  status,
  steps,
  tab,
  threadOf,
  withStudio,
} from "./studio-page.ts";

const { server, enter } = withStudio();

test("JSON that is half written stays when the tab is left, and does not run as what was there before", async ({
  page,
}) => {
  await enter(page, "flaky", "?tab=input");
  const panel = details(page);
  await panel.getByRole("radio", { name: "JSON" }).check({ force: true });
  await inputField(page).fill('{"text": "half');
  await expect(panel.getByRole("alert")).toContainText("Line 1");
  await tab(page, "Run").click();
  await expect(inputField(page)).toHaveCount(0);
  await tab(page, "Input").click();
  await expect(inputField(page)).toContainText('{"text": "half');
  await expect(panel.getByRole("alert")).toContainText("Line 1");
  await expect(panel.getByRole("button", { name: /^Run with this input/ })).toBeDisabled();
  await tab(page, "State").click();
  await run(page);
  await expect(tab(page, "Input")).toHaveAttribute("aria-selected", "true");
  await expect(status(page)).toHaveText("No run yet");
  await inputField(page).fill('{"text": "whole"}');
  await run(page);
  await isDone(page);
  await expect(steps(page).first()).toContainText("whole");

  await tab(page, "Input").click();
  await panel.getByRole("radio", { name: "JSON" }).check({ force: true });
  await inputField(page).fill("[");
  await panel.getByRole("radio", { name: "Form" }).check({ force: true });
  await panel.getByRole("button", { name: "Discard that text" }).click();
  await tab(page, "Run").click();
  await tab(page, "Input").click();
  await expect(panel.getByRole("textbox", { name: /text/i })).toHaveValue(/whole$/);
});

test("text of one field that is not JSON stays when the tab or the form is left, and does not run as its last value", async ({
  page,
}) => {
  await enter(page, "loose", "?tab=input");
  const panel = details(page);
  const note = panel.getByRole("textbox", { name: "note" });
  await note.fill('{"half":');
  await expect(panel.getByRole("alert")).toContainText("Line 1");
  await panel.getByRole("textbox", { name: "text" }).fill("beside");
  await tab(page, "State").click();
  await expect(note).toHaveCount(0);
  await run(page);
  await expect(tab(page, "Input")).toHaveAttribute("aria-selected", "true");
  await expect(status(page)).toHaveText("No run yet");
  await expect(note).toHaveValue('{"half":');
  await expect(panel.getByRole("alert")).toContainText("Line 1");
  await expect(panel.getByRole("textbox", { name: "text" })).toHaveValue("beside");
  await expect(panel.getByRole("button", { name: /^Run with this input/ })).toBeDisabled();

  await panel.getByRole("radio", { name: "JSON" }).check({ force: true });
  await expect(panel.getByRole("alert")).toContainText(
    "The field note of the form holds text that is not JSON. Line 1",
  );
  await expect(panel.getByRole("button", { name: /^Run with this input/ })).toBeDisabled();
  await panel.getByRole("radio", { name: "Form" }).check({ force: true });
  await expect(note).toHaveValue('{"half":');
  await note.fill('"a whole note"');
  await run(page);
  await isDone(page);
  await expect(steps(page).first()).toContainText("a whole note");

  await tab(page, "Input").click();
  await note.fill("[");
  await panel.getByRole("radio", { name: "JSON" }).check({ force: true });
  await panel.getByRole("button", { name: "Discard that text" }).click();
  await expect(panel.getByRole("alert")).toHaveCount(0);
  await expect(panel.getByRole("button", { name: /^Run with this input/ })).toBeEnabled();
  await panel.getByRole("radio", { name: "Form" }).check({ force: true });
  await expect(note).toHaveValue('"a whole note"');
});

test("a message that is sent before the graph's schemas are read is sent once they are", async ({ page }) => {
  const release = await hold(page, /\/schemas$/);
  await enter(page, "agent");
  await send(page, "early");
  await expect(page.getByText("It is sent once the graph is read…")).toBeVisible();
  await expect(messageField(page)).toHaveValue("early");
  await expect(status(page)).toHaveText("No run yet");
  release();
  await isDone(page);
  await expect(messageField(page)).toHaveValue("");
  await expect(steps(page).first()).toContainText("early");
});

test("a message that waits to be sent and is changed is not sent", async ({ page }) => {
  const release = await hold(page, /\/schemas$/);
  await enter(page, "agent");
  await send(page, "early");
  await page.keyboard.type(" bird");
  await expect(page.getByText("It is sent once the graph is read…")).toHaveCount(0);
  release();
  await expect(page.getByRole("banner").getByRole("button", { name: /^Run/ })).toBeEnabled();
  await expect(messageField(page)).toHaveValue("early bird");
  await expect(status(page)).toHaveText("No run yet");
});

/** Returns the number of messages in the state at a checkpoint, as the server has it. */
async function storedMessages(page: Page, checkpoint: string): Promise<number> {
  const state = await fetch(`${server().url}/threads/${await threadOf(page)}/state/${checkpoint}`);
  const { values } = (await state.json()) as { values: { messages: unknown[] } };
  return values.messages.length;
}

/** Returns the id of the checkpoint that is this many steps before the newest, as the server has it. */
async function checkpointBefore(page: Page, steps: number): Promise<string> {
  const history = await fetch(`${server().url}/threads/${await threadOf(page)}/history?limit=${steps + 1}`);
  const states = (await history.json()) as { checkpoint: { checkpoint_id: string } }[];
  return states.at(-1)?.checkpoint.checkpoint_id ?? "";
}

test("the id over a state is its own while another state is being read", async ({ page }) => {
  await enter(page, "agent");
  await send(page, "refund");
  await isDone(page);
  await tab(page, "State").click();
  const heading = details(page).getByRole("tabpanel").getByRole("heading", { level: 2 });
  const state = details(page).getByRole("tabpanel").locator("[aria-busy]");
  const messages = details(page).getByRole("region", { name: "messages" }).getByRole("listitem");
  await expect(state).toHaveAttribute("aria-busy", "false");
  await expect(details(page).getByRole("region", { name: "Changed by this step" })).toContainText("messages");
  const release = await hold(page, /\/state\/[\w-]+(?:\?|$)/);
  const reached = page.waitForRequest(/\/state\/[\w-]+(?:\?|$)/);
  await scrubber(page).focus();
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowLeft");
  await reached;
  await expect(status(page)).toHaveText("Past state");
  await expect(state).toHaveAttribute("aria-busy", "true");
  const before = await heading.innerText();
  const chosen = await checkpointBefore(page, 3);
  expect(chosen).not.toBe(before);
  await expect(messages).toHaveCount(await storedMessages(page, before));
  release();
  await expect(heading).toHaveText(chosen);
  await expect(state).toHaveAttribute("aria-busy", "false");
  await expect(messages).toHaveCount(await storedMessages(page, chosen));
});
