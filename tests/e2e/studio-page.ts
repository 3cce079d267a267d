/** Finds the parts of the studio's page, and does what its tests do again and again. */
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { DESKTOP, open, test, withServer } from "./fixtures.ts";

export const graph = (page: Page) => page.getByRole("region", { name: "Graph", exact: true });
export const node = (page: Page, name: string) =>
  graph(page).getByRole("button", { name: new RegExp(`^${name}(,|$)`) });
export const details = (page: Page) => page.getByRole("region", { name: "Details" });
export const tab = (page: Page, name: string) => details(page).getByRole("tab", { name });
export const steps = (page: Page) => page.getByRole("log", { name: "Steps of the run" }).getByRole("article");
export const scrubber = (page: Page) => page.getByRole("slider", { name: "Checkpoint" });
/** Returns the id of the thread in the address, which names a new one a moment after its run began. */
export async function threadOf(page: Page): Promise<string> {
  await page.waitForURL((url) => url.searchParams.has("thread"));
  return new URL(page.url()).searchParams.get("thread") ?? "";
}
/** The status of the thread in the bar. */
export const status = (page: Page) => page.getByRole("banner").getByRole("status");
export const isDone = (page: Page) => expect(status(page)).toHaveText("Done");

export async function send(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await page.keyboard.press("Enter");
}

export const messageField = (page: Page) => page.getByRole("textbox", { name: /^Message/ });

export async function run(page: Page): Promise<void> {
  const button = page.getByRole("banner").getByRole("button", { name: /^Run/ });
  await expect(button).toBeEnabled();
  await button.click();
}

/** The application of the studio's tests. */
export const STUDIO_APP = join(import.meta.dirname, "apps/studio");

/** Opens the studio of a graph at a server, and waits until it is drawn. */
export async function enterAt(page: Page, url: string, name: string, query = ""): Promise<void> {
  await open(page, `${url}/deployments/default/studio/${encodeURIComponent(name)}${query}`);
  await expect(graph(page).locator("[data-node]").first()).toBeVisible();
}

/** Writes the next run's input as JSON. The tab of the input is open. */
export async function writeInput(page: Page, input: object): Promise<void> {
  await details(page).getByRole("radio", { name: "JSON" }).check({ force: true });
  await inputField(page).fill(JSON.stringify(input));
}
export const inputField = (page: Page) => details(page).getByRole("textbox", { name: "Input as JSON" });

/** Presses Tab until the element has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < MOST_TABS; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${MOST_TABS} presses of ${key} do not reach ${target.toString()}`);
}
const MOST_TABS = 150;

/** Starts a server with the application of the studio's tests, for pages of a desktop that may use the clipboard. */
export function withStudio() {
  test.use({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });
  const server = withServer(() => ({ app: STUDIO_APP }));
  const enter = (page: Page, name: string, query = ""): Promise<void> => enterAt(page, server().url, name, query);

  /** Opens the studio of the graph with the slow node, with an input that makes it wait so many milliseconds. */
  async function enterSlow(page: Page, ms = 1): Promise<void> {
    await enter(page, "slow", "?tab=input");
    await writeInput(page, { ms, text: "begin" });
  }
  return { server, enter, enterSlow };
}
