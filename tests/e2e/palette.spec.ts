import { expect, type Page, type Request } from "@playwright/test";
import { call, untilBuilt } from "../support/control.ts";
import {
  DESKTOP,
  expectAccessible,
  expectAccessibleInBothSchemes,
  hold,
  open,
  PHONE,
  test,
  withServer,
} from "./fixtures.ts";
import { builtApp, option, palette, say, search, selected, toast } from "./shell-page.ts";

const server = withServer(() => ({}));
const at = (path: string): string => server().url + path;
const chat = (): string => at("/deployments/default/chat?assistant=echo");

test.use({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  await call(server(), "POST", "/deployments", builtApp("support-bot"));
  await untilBuilt(server(), "support-bot");
});

test("the palette works by keyboard alone: pages, another deployment, nothing found, and back", async ({ page }) => {
  await open(page, chat());
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("Not sent");
  await search(page, "logs");
  await expect(selected(page)).toHaveText(/^Logs/);
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Not sent");

  await search(page, "logs");
  await expect(selected(page)).toHaveText(/^Logs/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/deployments/default/logs"));
  await expect(palette(page)).toBeHidden();

  await search(page, "support");
  await page.keyboard.press("Enter");
  await expect(palette(page).getByRole("button", { name: "Leave support-bot" })).toBeVisible();
  await expect(selected(page)).toHaveText("Overview");
  await expect(option(page, /^only/)).toBeVisible();
  await page.keyboard.press("Backspace");
  await expect(option(page, /^default/)).toBeVisible();
  await page.keyboard.type("nobody calls anything so");
  await expect(palette(page)).toContainText("Nothing matches");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("support settings");
  await expect(selected(page)).toHaveText("support-bot / Settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/deployments/support-bot/settings"));
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(palette(page)).toBeHidden();
});

/** Opens a page, and waits until the code has come that the page begins to load, the early field of the palette too. */
async function openLoaded(page: Page, address: string): Promise<void> {
  const loading = new Set<Request>();
  page.on("request", (request) => request.resourceType() === "script" && loading.add(request));
  page.on("requestfinished", (request) => loading.delete(request));
  await open(page, address);
  await expect.poll(() => loading.size).toBe(0);
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
}

/** Holds back code that is loaded from now on. Returns the function that lets it come. */
const holdCode = (page: Page): Promise<() => void> => hold(page, "**/_next/static/**");

for (const [room, text] of [
  ["/deployments/default/chat", "chat"],
  ["/deployments/default/studio/agent", "runs"],
] as const) {
  test(`what is typed before the palette is loaded stands in its field: ${text}`, async ({ page }) => {
    await openLoaded(page, at(room));
    const address = page.url();
    const release = await holdCode(page);
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(text);
    await expect(page.getByRole("textbox", { name: "Search, or run a command" })).toHaveValue(text);
    await expect(palette(page)).toBeHidden();
    release();
    await expect(palette(page).getByRole("combobox")).toBeFocused();
    await expect(palette(page).getByRole("combobox")).toHaveValue(text);
    await page.keyboard.type(" x");
    await expect(palette(page).getByRole("combobox")).toHaveValue(`${text} x`);
    await page.keyboard.press("Escape");
    await expect(palette(page)).toBeHidden();
    expect(page.url()).toBe(address);
  });
}

test("before the palette is loaded, Escape and its keys close it, and Enter chooses what is found", async ({
  page,
}) => {
  await openLoaded(page, chat());
  const field = page.getByRole("textbox", { name: /^Message/ });
  await field.fill("Not sent");
  const release = await holdCode(page);
  for (const key of ["Escape", "ControlOrMeta+k"]) {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("logs");
    await page.keyboard.press(key);
    await expect(field).toBeFocused();
  }
  await expect(field).toHaveValue("Not sent");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("logs");
  await page.keyboard.press("Enter");
  release();
  await expect(page).toHaveURL(at("/deployments/default/logs"));
});

test("keys are no shortcuts of the page while a dialog loads, nor in it", async ({ page }) => {
  await openLoaded(page, at("/deployments/default/logs"));
  const release = await holdCode(page);
  await page.keyboard.press("?");
  await page.keyboard.type("c");
  release();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.type("c");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(at("/deployments/default/logs"));
  await page.keyboard.press("c");
  await expect(page).toHaveURL(at("/deployments/new"));
});

test("the palette finds threads by words and by id, and says when it cannot", async ({ page }) => {
  await open(page, chat());
  await say(page, "A question about gooseberries");
  const id = new URL(page.url()).searchParams.get("thread") ?? "";
  // A browser that has never opened the thread.
  await page.evaluate(() => localStorage.clear());
  for (const text of ["gooseberries", id, id.slice(0, 8)]) {
    await open(page, at("/deployments/default/logs"));
    await search(page, text);
    await expect(option(page, /A question about gooseberries/)).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`thread=${id}`));
    await page.evaluate(() => localStorage.clear());
  }
});

test.describe("without an answer of the server", () => {
  test.use({ expected: [/net::ERR_|Failed to load/] });

  test("the palette says what it could not search, and tries again", async ({ page }) => {
    await open(page, at("/deployments/default/logs"));
    await page.route("**/threads/search", (route) => route.abort());
    await search(page, "gooseberries");
    await expect(option(page, /Threads could not be searched/)).toBeVisible();
    await expectAccessible(page, "[role=dialog]");
    await page.unroute("**/threads/search");
    await page.keyboard.press("Enter");
    await expect(option(page, /A question about gooseberries/)).toBeVisible();
  });
});

test("the palette acts: a theme, the help, an assistant's chat, a copied address", async ({ page }) => {
  await open(page, at("/deployments/support-bot/logs"));
  await search(page, "dark theme");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveClass(/dark/);
  await search(page, "shortcuts");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await search(page, "copy api");
  await page.keyboard.press("Enter");
  await expect(toast(page, "API URL copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(at("/agents/support-bot"));
  await search(page, "chat only");
  await expect(selected(page)).toHaveText("New chat with only");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/support-bot\/chat\?assistant=only/);
});

test("on a phone the palette covers the screen and is used by touch", async ({ browser }) => {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await open(page, at("/deployments/default/chat"));
  await page.getByRole("button", { name: "Open the menu" }).tap();
  await page.getByRole("dialog", { name: "Menu" }).getByRole("button", { name: "Search" }).tap();
  await expect(palette(page)).toBeVisible();
  expect(await palette(page).boundingBox()).toMatchObject({ x: 0, y: 0, ...PHONE });
  await palette(page).getByRole("combobox").fill("settings");
  await option(page, /^Settings/).tap();
  await expect(page).toHaveURL(at("/deployments/default/settings"));
  await context.close();
});

for (const [device, viewport] of [["desktop", DESKTOP] as const, ["phone", PHONE] as const]) {
  test(`axe finds nothing in palette and switcher: ${device}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    await open(page, at("/deployments/default/logs"));
    await search(page, "");
    await expect(option(page, /^echo/)).toBeAttached();
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.type("nobody calls anything so");
    await expect(palette(page)).toContainText("Nothing matches");
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press("Escape");
    if (device === "phone") await page.getByRole("button", { name: "Open the menu" }).click();
    await page
      .getByRole("button", { name: /Switch deployment/ })
      .last()
      .click();
    // It covers links of the sidebar in part, so only the popover itself is checked.
    await expectAccessibleInBothSchemes(page, "[role=dialog]:has([role=listbox])");
  });
}
