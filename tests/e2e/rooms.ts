import type { Page } from "@playwright/test";

/** The helpers that the tests of the pages Threads, Runs and Crons share. */

/** Sends a JSON body to an API. */
export async function post<T>(url: string, path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  // The answers are those that docs/api describes.
  return (await response.json()) as T;
}

export const question = (content: string): object => ({ messages: [{ role: "user", content }] });

/** Makes a thread, and a run on it unless there is no question. Returns the thread's id. */
export async function makeThread(
  url: string,
  metadata: object,
  assistant_id = "echo",
  asked?: string,
): Promise<string> {
  const { thread_id } = await post<{ thread_id: string }>(url, "/threads", { metadata });
  if (asked === undefined) return thread_id;
  await post(url, `/threads/${thread_id}/runs/wait`, { assistant_id, input: question(asked) });
  return thread_id;
}

/** Returns the rows of the page's table, without its headings. */
export const rows = (page: Page) =>
  page
    .getByRole("grid")
    .getByRole("row")
    .filter({ has: page.getByRole("gridcell") });

export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

/** Returns whether the page scrolls sideways. */
export function isWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}
