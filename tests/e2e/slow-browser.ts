/**
 * Makes races likely: with `SLOW_BROWSER=1`, requests wait for random times, those for parts of a page as well. A test
 * that waits for what it needs passes here too, only later.
 */
import type { Page } from "@playwright/test";

/** This share of the requests waits, each for at most so many milliseconds. */
const SHARE = 0.2;
const LONGEST_MS = 700;

/** The limit of a test, in milliseconds, in which all of it has to wait. */
export const SLOW_TIMEOUT_MS = 240_000;

export const isSlow = process.env.SLOW_BROWSER === "1";

export async function slowDown(page: Page): Promise<void> {
  await page.context().route("**/*", async (route) => {
    if (Math.random() < SHARE) await new Promise((done) => setTimeout(done, Math.random() * LONGEST_MS));
    // A request of a page that has been left meanwhile cannot go on.
    await route.continue().catch(() => undefined);
  });
}
