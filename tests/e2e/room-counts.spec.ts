import { expect } from "@playwright/test";
import { DESKTOP, open, test, withServer } from "./fixtures.ts";
import { makeThread } from "./rooms.ts";

test.use({ viewport: DESKTOP });

const server = withServer(() => ({}));
const url = (): string => server().url;

test("a room asks once for each number that it shows, also after it has read its rows again", async ({ page }) => {
  await makeThread(url(), { title: "Gooseberries" });
  await makeThread(url(), {}, "echo", "About apples");
  await makeThread(url(), {}, "approval", "Tell Ada that her order ships");
  const asked: { path: string; body: unknown }[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\/(threads|runs)\/(count|search)$/.test(pathname))
      asked.push({ path: pathname.split("/").slice(-2).join("/"), body: request.postDataJSON() });
  });
  const bodies = (path: string) => asked.filter((one) => one.path === path).map(({ body }) => body);
  for (const [room, list, counts, words] of [
    ["threads", "threads", [{}, { waiting: true }], "3 threads"],
    ["threads?view=inbox", "threads", [{ waiting: true }], "1 thread"],
    ["runs", "runs", [{}], "2 runs"],
  ] as const) {
    asked.length = 0;
    await open(page, `${url()}/deployments/default/${room}`);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    // The rows are read when the page is drawn, and again about a second after its connection is open.
    await expect.poll(() => bodies(`${list}/search`).length).toBeGreaterThan(1);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect([room, bodies(`${list}/count`)]).toEqual([room, counts]);
  }
});
