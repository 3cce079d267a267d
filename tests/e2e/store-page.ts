/** Finds the parts of the store's page, and writes and reads items over the API. */
import { expect, type Locator, type Page } from "@playwright/test";

export const STORE = "/deployments/default/store";
export const rows = (page: Page): Locator => page.getByRole("listbox", { name: "Items" }).getByRole("option");
export const tree = (page: Page): Locator => page.getByRole("tree", { name: "Namespaces" });
export const node = (page: Page, name: string): Locator => tree(page).getByRole("treeitem", { name, exact: false });
export const editor = (page: Page): Locator => page.getByRole("textbox", { name: "Value" });

export async function put(page: Page, base: string, namespace: string[], key: string, value: object): Promise<void> {
  const answer = await page.request.put(`${base}/store/items`, { data: { namespace, key, value } });
  expect(answer.status()).toBe(204);
}

export async function valueOf(page: Page, base: string, namespace: string[], key: string): Promise<unknown> {
  const params = new URLSearchParams([["key", key], ...namespace.map((one) => ["namespace", one])]);
  const item = (await (await page.request.get(`${base}/store/items?${params}`)).json()) as { value: unknown } | null;
  return item?.value ?? null;
}
