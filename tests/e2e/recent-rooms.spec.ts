/** Threads that were opened in the Studio or on their own page are recent threads, and the palette opens what it finds. */
import { expect, type Page } from "@playwright/test";
import { open, test } from "./fixtures.ts";
import { makeThread, post } from "./rooms.ts";
import { option, search } from "./shell-page.ts";
import { isDone, run, send, threadOf, withStudio } from "./studio-page.ts";

const { server, enter } = withStudio();
const url = (): string => server().url;
const recent = (page: Page) => page.getByRole("list", { name: "Recent threads" }).getByRole("link");
const logs = (): string => `${url()}/deployments/default/logs`;

test("threads of the Studio and of the thread page are recent ones, and open where they were", async ({ page }) => {
  await enter(page, "agent");
  await send(page, "About figs");
  await isDone(page);
  await expect(recent(page)).toHaveText(["About figs"]);
  const figs = await threadOf(page);
  await enter(page, "wide");
  await run(page);
  await isDone(page);
  // A graph without messages gives its thread no title. All rooms then name its graph and the end of its id.
  const untitled = `wide ${(await threadOf(page)).slice(-4)}`;
  await expect(recent(page)).toHaveText([untitled, "About figs"]);
  await open(page, `${url()}/deployments/default/threads`);
  await page.getByRole("main").getByRole("link", { name: untitled }).click();
  await expect(page.getByRole("heading", { level: 1, name: untitled })).toBeVisible();
  await open(page, `${url()}/deployments/default/chat`);
  await expect(page.getByRole("navigation", { name: "Threads" }).getByRole("link", { name: untitled })).toBeVisible();
  await expect(recent(page)).toHaveText([untitled, "About figs"]);
  const other = await makeThread(url(), { title: "Opened on its page" }, "agent");
  await open(page, `${url()}/deployments/default/threads/${other}`);
  await expect(recent(page).first()).toHaveText("Opened on its page");

  await recent(page).filter({ hasText: "About figs" }).click();
  await expect(page).toHaveURL(`${url()}/deployments/default/studio/agent?thread=${figs}`);
  await expect(recent(page).first()).toHaveAttribute("aria-current", "page");
  await recent(page).filter({ hasText: "Opened on its page" }).click();
  await expect(page).toHaveURL(new RegExp(`/threads/${other}$`));

  // The palette lists them, too, without the one that is shown.
  await search(page, "");
  await expect(option(page, "About figs")).toBeVisible();
  await expect(option(page, "Opened on its page")).toHaveCount(0);
});

test.describe("that are gone", () => {
  test.use({ expected: [/404/] });

  for (const place of ["Studio", "thread page"] as const) {
    test(`a thread that was deleted vanishes from the recent ones when the ${place} opens it`, async ({ page }) => {
      const id = await makeThread(url(), { title: "Gone soon" }, "agent", "Hello");
      const path = place === "Studio" ? `studio/agent?thread=${id}` : `threads/${id}`;
      await open(page, `${url()}/deployments/default/${path}`);
      await expect(recent(page)).toHaveText(["Gone soon"]);
      await open(page, logs());
      expect((await fetch(`${url()}/threads/${id}`, { method: "DELETE" })).ok).toBe(true);
      await recent(page).click();
      await expect(page.getByText(/no longer exists|There is no such thread/)).toBeVisible();
      await expect(recent(page)).toHaveCount(0);
    });
  }
});

test("the palette opens a conversation in the chat, another thread in its Studio, and an empty one on its page", async ({
  page,
}) => {
  const talk = await makeThread(url(), { title: "Found talk" }, "agent", "Hello");
  const numbers = await makeThread(url(), { title: "Found numbers" });
  await post(url(), `/threads/${numbers}/runs/wait`, { assistant_id: "wide", input: {} });
  const empty = await makeThread(url(), { title: "Found nothing in it" });
  for (const [title, address] of [
    ["Found talk", new RegExp(`/chat\\?thread=${talk}`)],
    ["Found numbers", new RegExp(`/studio/wide\\?thread=${numbers}`)],
    ["Found nothing in it", new RegExp(`/threads/${empty}$`)],
  ] as const) {
    await page.addInitScript(() => localStorage.clear());
    await open(page, logs());
    await search(page, title);
    await expect(option(page, new RegExp(title))).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(address);
  }
});
