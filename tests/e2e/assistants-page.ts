/** Finds the parts of the assistants' page, and makes and reads assistants over the API. */
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { DESKTOP, open, test, withServer } from "./fixtures.ts";

export const ASSISTANTS = "/deployments/default/assistants";
export const list = (page: Page): Locator => page.getByRole("navigation", { name: "Assistants" });
export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name });
export const run = (page: Page, name: string): Locator => page.getByRole("region", { name: `Run of ${name}` });

interface StoredAssistant {
  assistant_id: string;
  name: string;
  version: number;
  context: unknown;
  config: unknown;
}

/** Starts a server with the application of the rooms' tests, for pages of a desktop. */
export function withAssistants() {
  test.use({ viewport: DESKTOP });
  const server = withServer(() => ({ app: join(import.meta.dirname, "apps/rooms") }));

  async function api<T>(page: Page, path: string, data: object, method = "POST"): Promise<T> {
    const answer = await page.request.fetch(`${server().url}${path}`, { method, data });
    expect(answer.ok()).toBe(true);
    return (await answer.json()) as T;
  }
  const make = (page: Page, data: object): Promise<StoredAssistant> => api(page, "/assistants", data);
  const stored = async (page: Page, id: string): Promise<StoredAssistant> =>
    (await (await page.request.get(`${server().url}/assistants/${id}`)).json()) as StoredAssistant;
  const openAssistant = (page: Page, id: string, more = ""): Promise<void> =>
    open(page, `${server().url}${ASSISTANTS}?assistant=${id}${more}`);
  return { server, api, make, stored, openAssistant };
}
