import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { DESKTOP, expectAccessible, hydrated, open, PHONE, test, withServer } from "./fixtures.ts";
import { isWide, makeThread, post, question, row, rows } from "./rooms.ts";

test.use({ viewport: DESKTOP });

const ROOM = "/deployments/default/runs";
const app = join(import.meta.dirname, "apps/edge-cases");
const EVENTS = { stream_resumable: true, stream_mode: ["messages-tuple", "values"] };

interface StartedRun {
  run_id: string;
  thread_id: string;
}

async function start(url: string, assistant_id: string, asked: string): Promise<StartedRun> {
  const thread = await makeThread(url, {});
  return post(url, `/threads/${thread}/runs`, { assistant_id, input: question(asked), ...EVENTS });
}

const runPage = (url: string, { run_id }: StartedRun): string => `${url}${ROOM}/${run_id}`;
const status = (page: Page, word: string) => page.getByRole("main").getByText(word, { exact: true });

test.describe("the table of runs", () => {
  const server = withServer(() => ({ app }));
  const url = (): string => server().url;
  test.beforeAll(async () => {
    await makeThread(url(), {}, "hostile", "Good morning");
    const thread = await makeThread(url(), {});
    const failing = { assistant_id: "fails", input: question("Try"), metadata: { customer: "ada" } };
    await post(url(), `/threads/${thread}/runs/wait`, failing);
    await post(url(), "/runs/wait", { assistant_id: "count", input: question("Count") });
  });

  test("is filtered by status, assistant, trigger, time and metadata, and keeps that over a reload", async ({
    page,
  }) => {
    await open(page, url() + ROOM);
    await expect(rows(page)).toHaveCount(3);
    await expect(page.getByText("3 runs", { exact: true })).toBeVisible();
    await expect(row(page, "fails")).toContainText("value 12 is out of range");
    await expect(row(page, "hostile")).toContainText("API");
    await page.getByRole("combobox", { name: "Status" }).selectOption("Failed");
    await expect(rows(page)).toHaveCount(1);
    await page.reload();
    await hydrated(page);
    await expect(page.getByRole("combobox", { name: "Status" })).toHaveValue("error");
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole("combobox", { name: "Status" }).selectOption("");
    await page.getByRole("combobox", { name: "Assistant" }).selectOption("hostile");
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole("combobox", { name: "Assistant" }).selectOption("");
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("Cron");
    await expect(page.getByText("No run matches")).toBeVisible();
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("API");
    await page.getByRole("combobox", { name: "Time" }).selectOption("Last hour");
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox", { name: "Filter runs" }).fill("customer:Ada Lovelace");
    await expect(page.getByText('A value with spaces needs quotes: customer:"Ada Lovelace"')).toBeVisible();
    await page.getByRole("searchbox", { name: "Filter runs" }).fill("customer:ada");
    await expect(rows(page)).toHaveCount(1);
    await expect(row(page, "fails")).toBeVisible();
  });

  test("shows runs as they begin and end, and cancels the selected ones", async ({ page }) => {
    await open(page, url() + ROOM);
    await expect(rows(page)).toHaveCount(3);
    await start(url(), "slow", "Take your time");
    const slow = row(page, "slow");
    await expect(slow).toContainText("Running");
    // The time since it began goes on by itself.
    await expect(slow).toContainText(/[12] s…/);
    await page.keyboard.press("j");
    await expect(slow).toBeFocused();
    await page.keyboard.press("Space");
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Cancel runs" }).click();
    await expect(slow).toContainText("Cancelled");
    await slow.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "slow" })).toBeVisible();
  });

  test("cancels the selected runs that have no thread", async ({ page }) => {
    await post(url(), "/runs", { assistant_id: "slow", input: question("Alone"), ...EVENTS });
    await open(page, url() + ROOM);
    const running = rows(page).filter({ hasText: "Running" });
    await running.getByRole("checkbox").click();
    await page.getByRole("button", { name: "Cancel runs" }).click();
    await expect(running).toHaveCount(0);
    await expect(page.getByText("Not all runs were cancelled")).toHaveCount(0);
  });
});

test.describe("the page of a run", () => {
  const server = withServer(() => ({ app }));
  const url = (): string => server().url;

  test("shows input, output, steps, events and the whole error of a run that failed, and retries it", async ({
    page,
  }) => {
    const run = await start(url(), "fails", "Try it");
    await open(page, runPage(url(), run));
    await expect(page.getByText("RangeError")).toBeVisible();
    await expect(page.getByText("value 12 is out of range")).toBeVisible();
    const steps = page.getByRole("list", { name: "Nodes over time" }).getByRole("listitem");
    await expect(steps).toHaveCount(2);
    await expect(steps.nth(1)).toContainText("failed");
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Input" }).click();
    await expect(page.getByRole("region", { name: "Input" })).toContainText("Try it");
    await page.reload();
    await hydrated(page);
    await expect(page.getByRole("region", { name: "Input" })).toContainText("Try it");
    await page.getByRole("tab", { name: "Output" }).click();
    await expect(page.getByRole("region", { name: "Output" })).toContainText("Let me try.");
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("button", { name: /^0 metadata/ }).click();
    await expect(page.getByRole("region", { name: "Event 0: metadata" })).toContainText(run.run_id);
    await expect(page.getByRole("region", { name: "Events", exact: true })).toContainText("error");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Retry" }).focus();
    await page.keyboard.press("Enter");
    await expect(page).not.toHaveURL(new RegExp(run.run_id));
    await expect(page.getByText("RangeError")).toBeVisible();
    await page.getByRole("tab", { name: "Steps" }).click();
    await expect(steps).toHaveText([/^try/, /^fail.*failed/]);
    await expect(page.getByRole("definition").first()).toHaveText("Console");
    await page.getByRole("tab", { name: "Input" }).click();
    await expect(page.getByRole("region", { name: "Input" })).toContainText("Try it");
    // The URL follows up to 150 ms later, and a navigation that begins before that would be given up for it.
    await expect(page).toHaveURL(/tab=input/);
    await page.getByRole("link", { name: "Thread", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/threads/${run.thread_id}`));
  });

  test("follows a run while it goes on, and cancels it", async ({ page }) => {
    const run = await start(url(), "slow", "Take your time");
    await open(page, `${runPage(url(), run)}?tab=events`);
    await expect(status(page, "Running")).toBeVisible();
    await expect(page.getByText(/[2-9]\d* events?, more as they come/)).toBeVisible();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(status(page, "Cancelled")).toBeVisible();
    await expect(page.getByText(/, more as they come/)).toBeHidden();
    await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeHidden();
    await page.getByRole("tab", { name: "Steps" }).click();
    await expect(page.getByRole("list", { name: "Nodes over time" }).getByRole("listitem").last()).toContainText(
      "cancelled",
    );
    await page.getByRole("link", { name: "Thread", exact: true }).click();
    await expect(status(page, "Stopped")).toBeVisible();
    await open(page, `${url()}/deployments/default/threads?status=waiting`);
    await expect(page.getByText("No thread matches")).toBeVisible();
    await page.getByRole("combobox", { name: "Status" }).selectOption("Stopped");
    await expect(row(page, "Take your time")).toBeVisible();
  });

  test("finds the thread of a run that the address names alone", async ({ page }) => {
    const run = await start(url(), "score", "Anything");
    await open(page, `${url()}${ROOM}/${run.run_id}`);
    await expect(page.getByRole("heading", { level: 1, name: "score" })).toBeVisible();
  });

  test.describe("that is not there", () => {
    test.use({ expected: [/404/] });

    test("is answered with 404 and a way to the others", async ({ page }) => {
      const id = "6fa9e58d-c0d0-4fa6-a83f-21a9307f5a83";
      for (const path of [id, `${id}?thread=${id}`, "no-uuid", "no-uuid?thread=no-uuid"]) {
        const answer = await page.goto(`${url()}${ROOM}/${path}`);
        expect(answer?.status()).toBe(404);
        await expect(page.getByText("There is no such run")).toBeVisible();
      }
      await hydrated(page);
      await page.getByRole("link", { name: "All runs" }).click();
      await expect(page).toHaveURL(url() + ROOM);
    });
  });

  test("is there for a run without a thread, while it goes on and after its end", async ({ page }) => {
    await post(url(), "/runs", { assistant_id: "slow", input: question("Take your time"), ...EVENTS });
    await open(page, url() + ROOM);
    await row(page, "slow").filter({ hasText: "Running" }).getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1, name: "slow" })).toBeVisible();
    await expect(status(page, "Running")).toBeVisible();
    await expect(page.getByText("its state is not stored")).toBeVisible();
    await page.getByRole("tab", { name: "Events" }).click();
    await expect(page.getByText(/[2-9]\d* events?, more as they come/)).toBeVisible();
    await expect(page.getByRole("link", { name: "Thread", exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(status(page, "Cancelled")).toBeVisible();
    await page.reload();
    await hydrated(page);
    await expect(status(page, "Cancelled")).toBeVisible();
    await expect(page.getByRole("button", { name: /^0 metadata/ })).toBeVisible();
    await page.getByRole("tab", { name: "Output" }).click();
    await expect(page.getByText("its state is not stored")).toBeVisible();
    await page.getByRole("tab", { name: "Input" }).click();
    await expect(page.getByRole("region", { name: "Input" })).toContainText("Take your time");
    const first = page.url();
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page).not.toHaveURL(first);
    await expect(status(page, "Running")).toBeVisible();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(status(page, "Cancelled")).toBeVisible();
  });

  test.describe("of which something is deleted meanwhile", () => {
    // The page may ask for what is being deleted.
    test.use({ expected: [/404/] });

    test("keeps the steps that it has shown when their thread is deleted at the end, and says so", async ({ page }) => {
      // Only a model that streams takes its time.
      const schedule = { assistant_id: "slow", schedule: "0 0 1 1 *", input: question("Take your time"), ...EVENTS };
      const { cron_id } = await post<{ cron_id: string }>(url(), "/runs/crons", schedule);
      const run = await post<StartedRun>(url(), `/runs/crons/${cron_id}/run`, {});
      const steps = page.getByRole("list", { name: "Nodes over time" }).getByRole("listitem");
      // The run stores its first checkpoint shortly after it has begun.
      await expect(async () => {
        await open(page, runPage(url(), run));
        await expect(steps).toHaveText(/count.*running/, { timeout: 3_000 });
      }).toPass();
      await expect(page.getByText("nothing of its steps is stored")).toHaveCount(0);
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await expect(status(page, "Cancelled")).toBeVisible();
      await expect(page.getByText("nothing of its steps is stored")).toBeVisible();
      await expect(steps).toHaveText(/count.*cancelled/);
      await expectAccessible(page);
      await page.reload();
      await expect(page.getByText("its state is not stored")).toBeVisible();
      await expect(steps).toHaveCount(0);
    });

    test("stays shown as it was, and says that it is not stored", async ({ page }) => {
      const run = await start(url(), "score", "Anything");
      await open(page, `${runPage(url(), run)}?tab=input`);
      await expect(page.getByRole("region", { name: "Input" })).toContainText("Anything");
      expect((await fetch(`${url()}/threads/${run.thread_id}`, { method: "DELETE" })).ok).toBe(true);
      await start(url(), "score", "Another");
      await expect(page.getByRole("main").getByRole("alert")).toContainText("This run is no longer stored");
      await expect(page.getByRole("region", { name: "Input" })).toContainText("Anything");
      await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
    });
  });

  test("shows what a graph says as text", async ({ page }) => {
    const run = await start(url(), "hostile", "<b>Bold?</b>");
    await open(page, `${runPage(url(), run)}?tab=output`);
    await expect(page.getByRole("region", { name: "Output" })).toContainText("<b>Bold?</b>");
    await page.goto(`${url()}/deployments/default/threads/${run.thread_id}?tab=messages`);
    await expect(page.getByRole("list", { name: "Messages" })).toContainText("<img src=");
    await expect(page.locator("img, iframe")).toHaveCount(0);
    expect(await page.title()).not.toBe("owned");
  });
});

test.describe("with a server that restarts", () => {
  test.use({ expected: [/net::ERR_|Failed to load resource/] });

  test("the page of a run goes on where it was", async ({ page }) => {
    const first = await startServer({ app });
    const run = await start(first.url, "slow", "Take your time");
    await open(page, `${runPage(first.url, run)}?tab=events`);
    await expect(page.getByText(/events?, more as they come/)).toBeVisible();
    await first.crash();
    await expect(page.getByRole("main").getByText("Reconnecting…")).toBeVisible();
    const second = await startServer({ app, home: first.home, env: { PORT: new URL(first.url).port } });
    try {
      await expect(page.getByRole("main").getByText("Reconnecting…")).toBeHidden();
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await expect(status(page, "Cancelled")).toBeVisible();
    } finally {
      await second.stop();
    }
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });
  const server = withServer(() => ({ app }));

  test("runs are cards, and nothing scrolls sideways", async ({ page }) => {
    await open(page, server().url + ROOM);
    await expect(page.getByText("No runs yet")).toBeVisible();
    const run = await start(server().url, "fails", "Try");
    await expect(row(page, "fails")).toContainText("Failed");
    expect(await isWide(page)).toBe(false);
    await expectAccessible(page);
    await open(page, runPage(server().url, run));
    await expect(page.getByText("value 12 is out of range")).toBeVisible();
    expect(await isWide(page)).toBe(false);
  });
});
