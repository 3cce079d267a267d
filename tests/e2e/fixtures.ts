import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test as base } from "@playwright/test";
import { startServer, type TestServer, type TestServerOptions } from "../support/server.ts";

interface Watched {
  /** Troubles that a test causes on purpose; matched against console errors. */
  expected: RegExp[];
}

/**
 * A page that is watched: an error in its console, an exception, or a request to any other host fails the test that
 * used it.
 */
export const test = base.extend<Watched>({
  expected: [[], { option: true }],
  page: async ({ page, expected }, use) => {
    const troubles: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => troubles.push(`exception: ${error.message}`));
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith("http") && hostname !== "127.0.0.1") troubles.push(`request: ${request.url()}`);
    });
    await use(page);
    expect(troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))).toEqual([]);
  },
});

/** A server of its own for the tests of a file, with another application or another environment. */
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

/** Goes to a room and waits until all of it is alive: what is typed before that is lost. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByText("Platform healthy")).toBeAttached();
  await expect.poll(() => page.evaluate(isAlive)).toBe(true);
}

/** Whether what the server sent last stands in its place, and React has taken it over. Runs in the page. */
function isAlive(): boolean {
  const main = document.querySelector("main") ?? {};
  const isArriving = document.querySelector('[hidden][id^="S:"]') !== null;
  return !isArriving && Object.keys(main).some((key) => key.startsWith("__reactProps$"));
}

/** WCAG 2.2 AA and axe's own good practice, on what can be seen now: all of the page, or a part of it. */
export async function expectAccessible(page: Page, part = "html"): Promise<void> {
  // A dialog is loaded when it is opened.
  await expect(page.locator(part)).toBeVisible();
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(tags).analyze();
  const told = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map((node) => node.html) }));
  expect(told).toEqual([]);
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };
