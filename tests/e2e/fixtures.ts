import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test as base } from "@playwright/test";
import { startServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { isSlow, slowDown } from "./slow-browser.ts";

interface PageOptions {
  /** Patterns of the errors that a test causes on purpose. */
  expected: RegExp[];
}

/**
 * A page that fails its test on an error in the browser's console, an uncaught exception, or a request to another
 * host.
 */
export const test = base.extend<PageOptions>({
  expected: [[], { option: true }],
  page: async ({ page, expected }, use) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => errors.push(`exception: ${error.message}`));
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith("http") && hostname !== "127.0.0.1") errors.push(`request: ${request.url()}`);
    });
    if (isSlow) await slowDown(page);
    await use(page);
    expect(errors.filter((error) => !expected.some((pattern) => pattern.test(error)))).toEqual([]);
  },
});

/** Starts a server for the tests of a file, with its own application or environment. */
export function withServer(options: () => TestServerOptions): () => TestServer {
  let server: TestServer | undefined;
  test.beforeAll(async () => {
    server = await startServer(options());
  });
  test.afterAll(async () => {
    await server?.stop();
  });
  return () => {
    if (!server) throw new Error("the server has not been started");
    return server;
  };
}

/** Opens a page and waits until it is hydrated. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

/** Holds the requests for these addresses, those by `method` if it is given, until the returned function is called. */
export async function hold(page: Page, addresses: string | RegExp, method?: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    if (method === undefined || route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

/** Waits until the page is hydrated, because text typed before that is lost. */
export async function hydrated(page: Page): Promise<void> {
  await expect(page.getByText("Platform healthy")).toBeAttached();
  await expect.poll(() => page.evaluate(isHydrated)).toBe(true);
}

/**
 * Returns whether all streamed HTML is in its place and hydrated by React, also in parts whose code is loaded by itself: until
 * then, a click on a button there does nothing. Runs in the page.
 */
function isHydrated(): boolean {
  const isArriving = document.querySelector('[hidden][id^="S:"]') !== null;
  const used = [...document.querySelectorAll("main, button, input, textarea, select")];
  return !isArriving && used.every((one) => Object.keys(one).some((key) => key.startsWith("__reactProps$")));
}

/** Checks the visible page, or a part of it, with axe: WCAG 2.2 AA and axe's best practices. */
export async function expectAccessible(page: Page, part = "html"): Promise<void> {
  // The code of a dialog loads when it opens.
  await expect(page.locator(part)).toBeVisible();
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  expect(await problemsIn(page, new AxeBuilder({ page }).include(part).withTags(tags))).toEqual([]);
}

/** Does so in the light scheme, then checks the contrast in the dark one: nothing else differs there. */
export async function expectAccessibleInBothSchemes(page: Page, part = "html"): Promise<void> {
  await expectAccessible(page, part);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await problemsIn(page, new AxeBuilder({ page }).include(part).withRules(["color-contrast"]))).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** How often axe looks at a page that changes meanwhile. */
const MOST_LOOKS = 5;

/**
 * Returns what axe finds while nothing moves, a line for each kind: a message that comes meanwhile would fade in, and has no
 * contrast then. What it finds counts if the page stood still: axe lists all elements first, then measures them, and one that
 * was replaced in between has no size and no colour.
 */
async function problemsIn(page: Page, axe: AxeBuilder): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  let problems: string[] = [];
  for (let look = 0; look < MOST_LOOKS; look++) {
    await page.evaluate(animationsEnded);
    const changes = await page.evaluateHandle(watchChanges);
    const { violations } = await axe.analyze();
    problems = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
    const changed = await changes.evaluate((watched) => watched.end());
    if (problems.length === 0 || !changed) break;
  }
  await page.emulateMedia({ reducedMotion: "no-preference" });
  return problems;
}

/** Watches the document until `end` is called, which returns whether it has changed. Runs in the page. */
function watchChanges() {
  let changed = false;
  const observer = new MutationObserver(() => (changed = true));
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const end = (): boolean => {
    changed ||= observer.takeRecords().length > 0;
    observer.disconnect();
    return changed;
  };
  return { end };
}

/**
 * Waits until no animation that has an end goes on: what fades in has no contrast yet. Transitions begin with the next frame,
 * and that of an inherited colour when its parent's has ended. Runs in the page.
 */
async function animationsEnded(): Promise<void> {
  const frames = async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  };
  const ending = () =>
    document
      .getAnimations()
      .filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
  await frames();
  for (let moving = ending(); moving.length > 0; moving = ending()) {
    await Promise.allSettled(moving.map(({ finished }) => finished));
    await frames();
  }
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };
