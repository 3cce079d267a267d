import { expect, type Page } from "@playwright/test";
import { join } from "node:path";

export const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });
export const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });
export const selected = (page: Page) => page.locator("[role=option][aria-selected=true]");
export const toast = (page: Page, title: string | RegExp) =>
  page.getByRole("region", { name: "Notifications" }).getByRole("group").filter({ hasText: title });

/** Asks in the open chat, and waits for the whole answer. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Message/ }).fill(text);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article").last()).toContainText(text);
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
}

/** Opens the palette with its keys, and types. */
export async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type(text);
}

/** A deployment that is built without installing packages. Its graph is `only`. */
export const builtApp = (name: string) => ({
  name,
  source: { type: "folder", path: join(import.meta.dirname, "../api/apps/one") },
});
/** A deployment whose source cannot be fetched, so it fails at once. */
export const lostApp = (name: string) => ({ name, source: { type: "git", url: "http://127.0.0.1:9/nothing.git" } });
