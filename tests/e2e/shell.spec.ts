import { expect, type Page } from "@playwright/test";
import { call, untilBuilt } from "../support/control.ts";
import { DESKTOP, expectAccessible, open, test, withServer } from "./fixtures.ts";
import { builtApp, lostApp, option, say, selected, toast } from "./shell-page.ts";

const server = withServer(() => ({}));
const at = (path: string): string => server().url + path;
const chat = (): string => at("/deployments/default/chat?assistant=echo");

const recent = (page: Page) => page.getByRole("list", { name: "Recent threads" }).getByRole("link");

async function deploy(deployment: object): Promise<void> {
  const { status, text } = await call(server(), "POST", "/deployments", deployment);
  expect(status, text).toBe(201);
}

test.use({ viewport: DESKTOP });
test.describe.configure({ mode: "serial" });

test("an empty platform leads to a first answer, to its graph, and to a first own deployment", async ({
  page,
  context,
}) => {
  await open(page, at("/"));
  const steps = page.getByRole("region", { name: "Your first minute" });
  await expect(steps.getByRole("listitem").filter({ hasText: "Done" })).toHaveCount(0);
  await expectAccessible(page);
  await steps.getByRole("link", { name: "What time is it in Tokyo?" }).click();
  const field = page.getByRole("textbox", { name: /^Message/ });
  await expect(field).toHaveValue("What time is it in Tokyo?");
  await expect(page.getByRole("article")).toHaveCount(0);
  await field.press("Enter");
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();

  await open(page, at("/"));
  await expect(steps.getByRole("listitem").filter({ hasText: "Done" })).toHaveText([/Ask the sample agent/]);
  await steps.getByRole("link", { name: "Open its graph" }).click();
  await expect(page).toHaveURL(/graph=agent|studio\/agent/);
  await expect(page.locator("[data-node]").first()).toBeVisible();
  await open(page, at("/"));
  await expect(steps.getByRole("heading", { name: /Done$/ })).toHaveCount(2);
  await steps.getByLabel("Repository URL").fill("https://example.com/bot");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/new\?url=https%3A%2F%2Fexample\.com%2Fbot/);

  await open(page, at("/"));
  await page.getByRole("button", { name: "Dismiss the first steps" }).click();
  await expect(steps).toBeHidden();
  await expect(page.getByRole("region", { name: "Deploy an application" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: "Deploy an application" })).toBeVisible();
  await expect(steps).toBeHidden();
  await context.clearCookies();
  await page.reload();
  await expect(steps).toBeVisible();
  await deploy(builtApp("support-bot"));
  await untilBuilt(server(), "support-bot");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 deployments");
  await expect(steps).toBeHidden();
});

test("threads that were opened are listed, and deleted ones vanish", async ({ page }) => {
  await open(page, chat());
  await say(page, "About apples");
  await expect(recent(page)).toHaveText(["About apples"]);
  await page.getByRole("link", { name: "New", exact: true }).click();
  await expect(page).not.toHaveURL(/thread=/);
  await say(page, "About pears");
  await expect(recent(page)).toHaveText(["About pears", "About apples"]);
  await expect(recent(page).first()).toHaveAttribute("aria-current", "page");
  await recent(page).nth(1).click();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("About apples");
  await expect(recent(page)).toHaveText(["About apples", "About pears"]);

  await page.getByText("Recent threads", { exact: true }).click();
  await expect(recent(page).first()).toBeHidden();
  await open(page, page.url());
  await expect(page.getByText("Recent threads", { exact: true })).toBeVisible();
  await expect(recent(page).first()).toBeHidden();
  await page.getByText("Recent threads", { exact: true }).click();

  await page.getByRole("button", { name: "Delete About pears" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(recent(page)).toHaveText(["About apples"]);
});

test.describe("a thread that somebody else has deleted", () => {
  test.use({ expected: [/404/] });

  test("vanishes when it is opened", async ({ page }) => {
    await open(page, chat());
    await say(page, "Gone soon");
    await expect(recent(page).first()).toHaveText("Gone soon");
    const id = new URL(page.url()).searchParams.get("thread");
    await open(page, at("/deployments/default"));
    expect((await fetch(at(`/threads/${id}`), { method: "DELETE" })).ok).toBe(true);
    await recent(page).filter({ hasText: "Gone soon" }).click();
    await expect(page.getByText("This thread no longer exists")).toBeVisible();
    await expect(recent(page)).toHaveCount(0);
  });
});

test("the switcher keeps the page, by mouse and by keyboard", async ({ page }) => {
  await open(page, at("/deployments/default/logs"));
  const button = page.getByRole("button", { name: /Switch deployment/ });
  await button.click();
  await expect(option(page, /^default/)).toHaveAttribute("aria-current", "true");
  await button.click();
  await expect(page.getByRole("listbox", { name: "Deployments" })).toBeHidden();
  await button.click();
  await option(page, /^support-bot/).click();
  await expect(page).toHaveURL(at("/deployments/support-bot/logs"));
  await expect(button).toHaveAccessibleName(/^support-bot, Ready/);

  await open(page, at("/deployments/support-bot/revisions/1"));
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(selected(page)).toHaveText(/^support-bot/);
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(selected(page)).toHaveText(/^support-bot/);
  await page.keyboard.press("ArrowDown");
  await expect(selected(page)).toHaveText(/^default/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/deployments/default/revisions"));
});

test("a toast says that a revision failed or went live elsewhere, and leads there", async ({ page }) => {
  await open(page, at("/deployments/default/logs"));
  await deploy(lostApp("lost"));
  await expect(toast(page, "lost: revision 1 failed")).toBeVisible();
  await expectAccessible(page);
  await call(server(), "POST", "/deployments/support-bot/revisions", {});
  await expect(toast(page, /support-bot: revision \d+ is live/)).toBeVisible();
  await page.keyboard.press("F6");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Open", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/deployments/support-bot"));
  await expect(toast(page, "is live")).toHaveCount(0);
});

test("no toast says what the page shows", async ({ page }) => {
  await open(page, at("/deployments/lost/revisions"));
  await call(server(), "POST", "/deployments/lost/revisions", {});
  await expect(page.getByText("Fetch failed")).toHaveCount(2);
  const toasts = page.getByRole("region", { name: "Notifications" });
  await expect(toasts.getByText("revision")).toHaveCount(0);
});

test("more than eight deployments are filtered in the switcher", async ({ page }) => {
  for (let number = 1; number <= 6; number++) await deploy(lostApp(`spare-${number}`));
  await open(page, at("/deployments/default"));
  await page.getByRole("button", { name: /Switch deployment/ }).click();
  const filter = page.getByRole("combobox", { name: "Filter deployments" });
  await expect(filter).toBeInViewport();
  await page.keyboard.type("spare-4");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expectAccessible(page, "[role=dialog]");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/deployments/spare-4"));
});

test("pages are fetched ahead once their links are pointed at or have the focus, and not before", async ({ page }) => {
  const ahead: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"] !== undefined) ahead.push(new URL(request.url()).pathname);
  });
  await open(page, at("/deployments/default/runs"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("Platform healthy")).toBeVisible();
  await page.waitForLoadState("load");
  expect(ahead).toEqual([]);
  const pages = page.getByRole("group", { name: /^Deployment/ });
  await pages.getByRole("link", { name: /^Store/ }).hover();
  await expect.poll(() => ahead).toContain("/deployments/default/store");
  await pages.getByRole("link", { name: /^Logs/ }).focus();
  await expect.poll(() => ahead).toContain("/deployments/default/logs");
  expect(ahead).not.toContain("/deployments/default/crons");
});
