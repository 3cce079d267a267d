import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, hold, hydrated, open, PHONE, test, withServer } from "./fixtures.ts";
import { isWide, post, question, row, rows } from "./rooms.ts";

test.use({ viewport: DESKTOP, timezoneId: "America/New_York" });

const ROOM = "/deployments/default/crons";
const server = withServer(() => ({}));
const url = (): string => server().url;
const dialog = (page: Page) => page.getByRole("dialog");

async function makeCron(schedule: string, more: object = {}): Promise<string> {
  const cron = { assistant_id: "echo", schedule, input: question("Good morning"), on_run_completed: "keep", ...more };
  return (await post<{ cron_id: string }>(url(), "/runs/crons", cron)).cron_id;
}

test.afterEach(async () => {
  for (const { cron_id } of await post<{ cron_id: string }[]>(url(), "/runs/crons/search", { limit: 100 }))
    await fetch(`${url()}/runs/crons/${cron_id}`, { method: "DELETE" });
});

test("a cron is made with the keyboard, which says what its schedule means and when it fires", async ({ page }) => {
  await open(page, url() + ROOM);
  await expect(page.getByText("No crons yet")).toBeVisible();
  await page.getByRole("button", { name: "Schedule the first run" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "New cron" }).focus();
  await page.keyboard.press("Enter");
  await dialog(page).getByLabel("Assistant").selectOption("echo");
  await dialog(page).getByLabel("Schedule").focus();
  await page.keyboard.type("61 7 * * 1-5");
  await expect(dialog(page).getByLabel("Schedule")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog(page).getByRole("button", { name: "Create" })).toBeDisabled();
  await dialog(page).getByLabel("Schedule").fill("30 7 * * 1-5");
  await expect(dialog(page)).toContainText("At 07:30, Monday to Friday");
  await dialog(page).getByLabel("Time zone").fill("Europe/Berlin");
  const times = dialog(page).getByRole("region", { name: "Next times" }).getByRole("row");
  await expect(times).toHaveCount(4);
  await expect(times.nth(1)).toContainText("07:30");
  await expect(times.nth(1)).toContainText("01:30");
  await expect(
    dialog(page)
      .getByRole("group", { name: /^messages/i })
      .first(),
  ).toBeVisible();
  await dialog(page).getByRole("radio", { name: "JSON" }).check({ force: true });
  const input = dialog(page).getByRole("textbox", { name: "Input as JSON" });
  await input.fill('{"messages": [');
  await expect(dialog(page).getByRole("alert")).toContainText("Line 1");
  await expect(dialog(page).getByRole("button", { name: "Create" })).toBeDisabled();
  await input.fill(JSON.stringify(question("Hi")));
  await expectAccessible(page, "[role=dialog]");
  await dialog(page).getByRole("button", { name: "Create" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(row(page, "At 07:30, Monday to Friday")).toContainText("30 7 * * 1-5 · Europe/Berlin");
  await expect(row(page, "At 07:30")).toContainText("Active");
});

test("a cron that would never fire, or would send an empty message, is not made", async ({ page }) => {
  await open(page, url() + ROOM);
  await page.getByRole("button", { name: "New cron" }).click();
  await dialog(page).getByLabel("Assistant").selectOption("echo");
  const schedule = dialog(page).getByLabel("Schedule");
  const create = dialog(page).getByRole("button", { name: "Create" });
  await schedule.fill("0 0 30 2 *");
  await expect(schedule).toHaveAccessibleDescription("It never fires: no month that it names has such a day.");
  await expect(create).toBeDisabled();
  await schedule.fill("0 0 29 2 *");
  await expect(create).toBeEnabled();
  await dialog(page).getByRole("button", { name: "Add message to Messages" }).click();
  await expect(dialog(page).getByText("Message 1 is empty. Write its text, or remove it.")).toBeVisible();
  await expect(create).toBeDisabled();
  await expectAccessible(page, "[role=dialog]");
  await dialog(page).getByRole("textbox", { name: "Text of message 1" }).fill("Hi");
  await create.click();
  await expect(rows(page)).toHaveCount(1);
});

test("a cron is run now, paused, resumed, changed and deleted in its open row", async ({ page }) => {
  const id = await makeCron("0 0 1 1 *");
  await open(page, url() + ROOM);
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByText("It has not run yet.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`open=${id}`));
  await page.reload();
  await hydrated(page);
  const grid = page.getByRole("grid");
  await grid.getByRole("button", { name: "Run now", exact: true }).last().click();
  await expect(page.getByText("A run was started.")).toBeVisible();
  await expect(grid.getByRole("listitem").filter({ hasText: "Success" })).toBeVisible();
  await expectAccessible(page);

  await grid.getByRole("button", { name: "Pause", exact: true }).last().click();
  await expect(rows(page).first()).toContainText("Paused");
  await expect(page.getByText("Next times, if it is resumed")).toBeVisible();
  await grid.getByRole("button", { name: "Resume", exact: true }).last().click();
  await expect(rows(page).first()).toContainText("Active");

  await grid.getByRole("button", { name: "Edit…" }).click();
  await dialog(page).getByLabel("Schedule").fill("*/15 * * * *");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(row(page, "Every 15 minutes")).toBeVisible();
  await grid.getByRole("button", { name: "Delete…" }).click();
  await dialog(page).getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("No crons yet")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test("the icons of a row do the same, and filters stay in the address", async ({ page }) => {
  await makeCron("0 0 1 1 *");
  await makeCron("0 12 * * *", { enabled: false, assistant_id: "agent" });
  await open(page, url() + ROOM);
  await expect(rows(page)).toHaveCount(2);
  await row(page, "At 12:00").getByRole("button", { name: "Resume" }).click();
  await expect(row(page, "At 12:00")).toContainText("Active");
  await row(page, "At 12:00").getByRole("button", { name: "Pause" }).click();
  await page.getByRole("combobox", { name: "State" }).selectOption("Paused");
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, "At 12:00")).toContainText("agent");
  await page.getByRole("combobox", { name: "Assistant" }).selectOption("echo");
  await expect(page.getByText("No cron matches")).toBeVisible();
  await page.getByRole("combobox", { name: "State" }).selectOption("");
  await expect(row(page, "At 00:00")).toBeVisible();
  await row(page, "At 00:00").getByRole("button", { name: "Run now" }).click();
  await expect(row(page, "At 00:00")).toContainText("Success");
});

test("a list that is filtered while a cron is being paused shows it once it is paused", async ({ page }) => {
  await makeCron("0 12 * * *");
  let reads = 0;
  page.on("response", (response) => (reads += Number(response.url().endsWith("/runs/crons/search"))));
  await open(page, url() + ROOM);
  // The list is read at first, and once more when the page follows the deployment. Nothing else reads it from then on.
  await expect.poll(() => reads).toBeGreaterThanOrEqual(2);
  const release = await hold(page, "**/runs/crons/*", "PATCH");
  await row(page, "At 12:00").getByRole("button", { name: "Pause" }).click();
  await page.getByRole("combobox", { name: "State" }).selectOption("Paused");
  await expect(page.getByText("No cron matches")).toBeVisible();
  release();
  await expect(row(page, "At 12:00")).toContainText("Paused");
});

test("a double click on Run now starts one run, and its button keeps the focus meanwhile", async ({ page }) => {
  const id = await makeCron("0 0 1 1 *");
  await open(page, `${url()}${ROOM}?open=${id}`);
  const runNow = page.getByRole("grid").getByRole("button", { name: "Run now", exact: true });
  const count = async () => (await post<unknown[]>(url(), "/runs/search", { metadata: { cron_id: id } })).length;
  for (const place of [0, 1]) {
    await runNow.nth(place).dblclick();
    await expect(page.getByText("A run was started.").first()).toBeVisible();
    await expect.poll(count).toBe(place + 1);
  }

  const release = await hold(page, "**/runs/crons/*/run");
  const button = runNow.last();
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("button", { name: "Pause", exact: true }).last()).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  release();
  await expect(button).toHaveAttribute("aria-disabled", "false");
  await expect(button).toBeFocused();
  await expect.poll(count).toBe(3);
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  test("crons are cards, and nothing scrolls sideways", async ({ page }) => {
    await makeCron("30 7 * * 1-5", { timezone: "Europe/Berlin" });
    await open(page, url() + ROOM);
    await page.getByRole("button", { name: "At 07:30, Monday to Friday" }).click();
    await expect(page.getByText("Next times")).toBeVisible();
    expect(await isWide(page)).toBe(false);
    await expectAccessible(page);
  });
});
