/** Tests that the canvas of the Studio leads to its nodes, and that nothing covers what it shows. */
import { expect, type Locator, type Page } from "@playwright/test";
import { PHONE, test } from "./fixtures.ts";
import { details, graph, node, run, scrubber, send, status, withStudio } from "./studio-page.ts";

const { enter } = withStudio();

const find = (page: Page) => page.getByRole("searchbox", { name: "Find a node" });
const dimmed = (page: Page) => graph(page).locator(".opacity-35");

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (!box) throw new Error(`${part.toString()} is not in the page`);
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

async function expectApart(one: Locator, other: Locator): Promise<void> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  expect(isApart, JSON.stringify([a, b])).toBe(true);
}

for (const [name, words] of [
  ["agent", "too"],
  ["big", "row 80 step 3"],
] as const) {
  test(`Enter in the search selects the node and ends the dimming: ${name}`, async ({ page }) => {
    await enter(page, name);
    await find(page).fill(words);
    await expect(dimmed(page)).not.toHaveCount(0);
    await page.keyboard.press("Enter");
    const found = graph(page).locator("[data-node]:focus");
    await expect(found).toHaveAttribute("aria-pressed", "true");
    await expect(details(page).getByRole("heading", { name: name === "agent" ? "tools" : words })).toBeVisible();
    await expect(dimmed(page)).toHaveCount(0);
  });
}

test("a node that is found in closed subgraphs is revealed", async ({ page }) => {
  await enter(page, "nested");
  await find(page).fill("read");
  await page.keyboard.press("Enter");
  await expect(node(page, "read")).toBeFocused();
  await expect(node(page, "read")).toHaveAttribute("aria-pressed", "true");
});

test("after a click on the empty canvas, an arrow key goes to a node", async ({ page }) => {
  await enter(page, "agent");
  await expect(node(page, "triage")).toBeVisible();
  await graph(page)
    .locator(".react-flow__pane")
    .click({ position: { x: 40, y: 300 } });
  await page.keyboard.press("ArrowDown");
  await expect(node(page, "triage")).toBeFocused();
  await expect(node(page, "triage")).toHaveAttribute("aria-pressed", "true");
});

test("a graph whose subgraphs all open or close is seen whole, above the timeline", async ({ page }) => {
  await enter(page, "nested");
  await run(page);
  await expect(status(page)).toHaveText("Done");
  const all = graph(page).getByRole("button", { name: "Subgraphs" });
  const timeline = scrubber(page).locator("xpath=ancestor::div[2]");
  for (const count of [1, 0]) {
    await all.click();
    await expect(node(page, "read")).toHaveCount(count);
    await expect(async () => {
      const area = await boxOf(graph(page));
      for (const name of ["before", "after"]) {
        const box = await boxOf(node(page, name));
        expect(box.top).toBeGreaterThanOrEqual(area.top);
        expect(box.bottom).toBeLessThanOrEqual((await boxOf(timeline)).top);
      }
    }).toPass({ timeout: 10_000 });
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  const end = (page: Page) => graph(page).locator('[data-id="__end__"]');
  const zoomIn = (page: Page) => graph(page).getByRole("button", { name: "Zoom in" });

  const area = (page: Page) => boxOf(graph(page).locator(".react-flow"));

  /** Waits until the last node stands in the canvas, beside the buttons. */
  async function isFitted(page: Page): Promise<void> {
    await expect(async () => {
      expect((await boxOf(end(page))).bottom).toBeLessThanOrEqual((await area(page)).bottom);
      await expectApart(end(page), zoomIn(page));
    }).toPass({ timeout: 10_000 });
  }

  test("the graph is fitted again when the timeline takes some of its room", async ({ page }) => {
    await enter(page, "agent");
    await isFitted(page);
    const before = await area(page);
    await send(page, "hello");
    await expect(scrubber(page)).toBeVisible();
    await expect.poll(async () => (await area(page)).bottom).toBeLessThan(before.bottom);
    await isFitted(page);
  });

  test("a graph that somebody has moved stays where it is when its room changes", async ({ page }) => {
    await enter(page, "agent");
    await isFitted(page);
    const fitted = await boxOf(node(page, "triage"));
    const { left, top } = await area(page);
    await page.mouse.move(left + 30, top + 100);
    await page.mouse.down();
    await page.mouse.move(left + 70, top + 110, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await boxOf(node(page, "triage"))).left - fitted.left).toBeCloseTo(40);
    const before = await boxOf(node(page, "triage"));
    await send(page, "hello");
    await expect(scrubber(page)).toBeVisible();
    await expect(graph(page).locator("output:not(.sr-only)")).toHaveText("Done");
    const after = await boxOf(node(page, "triage"));
    expect([after.left, after.top, after.right]).toEqual([before.left, before.top, before.right]);
  });
});

test("a large graph that was fitted as a whole stays whole when its room changes", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await enter(page, "big");
  const picture = graph(page).locator(".react-flow__viewport");
  const zoom = () => picture.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  const first = await zoom();
  await graph(page).getByRole("button", { name: "Fit" }).click();
  await expect.poll(zoom).toBeLessThan(first / 2);
  const fitted = await zoom();
  await page.setViewportSize({ width: 1440, height: 700 });
  await expect.poll(zoom).not.toBe(fitted);
  await expect.poll(zoom).toBeLessThan(fitted);
});

test.describe("where the code of a worker does not load", () => {
  test.use({ expected: [/ERR_FAILED/] });

  test("the page lays the graph out itself", async ({ page }) => {
    await page.addInitScript(() => {
      const Real = window.Worker;
      window.Worker = class extends Real {
        constructor() {
          super("/broken-worker.js");
        }
      };
    });
    const body = 'importScripts("/gone.js")';
    await page.route("**/broken-worker.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
    await page.route("**/gone.js", (route) => route.abort());
    await enter(page, "agent");
    await expect(node(page, "triage")).toBeVisible();
  });
});

test("nothing covers the picture of a large graph", async ({ page }) => {
  await enter(page, "big", "?tab=input");
  const picture = page.getByRole("img", { name: "Overview of the graph" });
  await expect(picture).toBeVisible();
  await expectApart(picture, find(page));
  await expectApart(picture, graph(page).getByRole("button", { name: "Zoom in" }));
  await details(page).getByRole("textbox", { name: "Recursion limit" }).fill("5");
  await run(page);
  await expect(scrubber(page)).toBeVisible();
  await expectApart(picture, scrubber(page).locator("xpath=ancestor::div[2]"));
});
