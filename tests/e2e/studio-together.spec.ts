/** Two clients on one thread: one answer counts and the other person is told, and a run ends as others end it. */
import { Client } from "@langchain/langgraph-sdk";
import { type Browser, expect, type Page } from "@playwright/test";
import { DESKTOP, hold, test } from "./fixtures.ts";
import { post } from "./rooms.ts";
import { details, isDone, node, run, status, steps, tab, threadOf, withStudio } from "./studio-page.ts";

test.use({ viewport: DESKTOP, expected: [/status of 4(09|22)/] });

const { server, enter, enterSlow } = withStudio();
const question = (page: Page) => details(page).getByRole("region", { name: "Waiting for you" });
const passed = (page: Page) => details(page).getByRole("alert").filter({ hasText: "Your answer did not count" });

/** Opens the same thread in the browser of another person. */
async function another(browser: Browser, page: Page, graph: string): Promise<Page> {
  const other = await (await browser.newContext({ viewport: DESKTOP })).newPage();
  await enter(other, graph, `?thread=${await threadOf(page)}`);
  return other;
}

/** Lets the page not learn what others do, until the returned function is called. */
const keepUnaware = (page: Page): Promise<() => void> => hold(page, /\/runs\?limit=1$/);

test("a question that somebody else answers is closed for the other person, who is told", async ({ page, browser }) => {
  await enter(page, "review");
  await run(page);
  await expect(question(page)).toContainText("send_email");
  const other = await another(browser, page, "review");
  await expect(question(other)).toContainText("send_email");
  await question(page).getByRole("button", { name: "Approve" }).click();
  await expect(question(page)).toContainText("delete_file");
  await expect(question(other)).toContainText("delete_file");
  await expect(details(other).getByText("Somebody else has answered")).toBeVisible();
  await expect(details(page).getByText("Somebody else has answered")).toBeHidden();
  await question(other).getByRole("button", { name: "Approve" }).click();
  await isDone(other);
  await expect(details(other).getByText("Somebody else has answered")).toBeHidden();
  await expect(details(page).getByText("Somebody else has answered")).toBeVisible();
  await isDone(page);
  // A node that went on with its answer was not tried again.
  await expect(steps(page).filter({ hasText: "mail" })).not.toContainText("attempt");
  await other.context().close();
});

test("an answer to a question that is closed does not answer the next one, and its person is told", async ({
  page,
  browser,
}) => {
  await enter(page, "review");
  await run(page);
  await expect(question(page)).toContainText("send_email");
  const other = await another(browser, page, "review");
  await expect(question(other)).toContainText("send_email");
  const release = await keepUnaware(other);
  await question(page).getByRole("button", { name: "Approve" }).click();
  await expect(question(page)).toContainText("delete_file");
  await question(other).getByRole("button", { name: "Approve" }).click();
  await expect(passed(other)).toContainText("somebody else");
  release();
  await expect(question(other)).toContainText("delete_file");
  await expect(question(page)).toContainText("delete_file");
  await expect(status(page)).toHaveText("Waiting for you");
  const runs = await fetch(`${server().url}/threads/${await threadOf(page)}/runs`);
  // One run asked, and one answer counted.
  expect(await runs.json()).toHaveLength(2);
  await question(other).getByRole("button", { name: "Approve" }).click();
  await isDone(other);
  await expect(passed(other)).toBeHidden();
  await other.context().close();
});

test.describe("a thread that is deleted while its question is open", () => {
  test.use({ expected: [/status of 404/] });
  const waiting = async (): Promise<string> => {
    const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
    await post(server().url, `/threads/${thread_id}/runs/wait`, { assistant_id: "review", input: {} });
    return thread_id;
  };
  const remove = (id: string) => fetch(`${server().url}/threads/${id}`, { method: "DELETE" });

  test("is told, its question goes, and a new thread begins", async ({ page }) => {
    const id = await waiting();
    await enter(page, "review", `?thread=${id}`);
    await expect(question(page)).toContainText("send_email");
    await expect(details(page).getByText("Somebody else has started a run")).toBeHidden();
    await remove(id);
    const alert = details(page).getByRole("alert");
    await expect(alert).toContainText("This thread was deleted");
    await expect(question(page)).toBeHidden();
    await expect(status(page)).toHaveText("Deleted");
    for (const name of ["State", "Input"]) {
      await tab(page, name).click();
      await expect(alert).toContainText("This thread was deleted");
    }
    await alert.getByRole("button", { name: "New thread" }).click();
    await expect(alert).toBeHidden();
    await run(page);
    await expect(question(page)).toContainText("send_email");
    expect(await threadOf(page)).not.toBe(id);
  });

  test("is told to a page that learns of it by its own answer", async ({ page }) => {
    const id = await waiting();
    await enter(page, "review", `?thread=${id}`);
    await expect(question(page)).toContainText("send_email");
    const release = await keepUnaware(page);
    await remove(id);
    await question(page).getByRole("button", { name: "Approve" }).click();
    await expect(details(page).getByRole("alert")).toContainText("This thread was deleted");
    await expect(question(page)).toBeHidden();
    await expect(details(page).getByText("HTTP 404")).toBeHidden();
    release();
  });
});

/** Answers one of the thread's questions with the SDK, as another program does. */
async function answerElsewhere(page: Page, question: string, answer: string): Promise<void> {
  const client = new Client({ apiUrl: server().url });
  const thread = await threadOf(page);
  const { interrupts } = await client.threads.get(thread);
  const asked = Object.values(interrupts)
    .flat()
    .find(({ value }) => JSON.stringify(value).includes(question));
  await client.runs.wait(thread, "parallel", { command: { resume: { [asked?.id ?? ""]: answer } } });
}

test("answers beside one that comes too late are kept, and sent again", async ({ page }) => {
  await enter(page, "parallel");
  await run(page);
  const open = details(page).getByRole("region", { name: "Open questions" });
  await open.getByRole("textbox").fill("thirty-six");
  await open.getByRole("button", { name: "Answer", exact: true }).click();
  await open.getByRole("button", { name: "Blue", exact: true }).click();
  const release = await keepUnaware(page);
  await answerElsewhere(page, "How old", "from elsewhere");
  await open.getByRole("button", { name: "Send 2 of 2" }).click();
  await expect(passed(page)).toBeVisible();
  release();
  await expect(open).toContainText("1 question waits for you");
  await expect(open).toContainText('"blue"');
  await expect(open).not.toContainText("thirty-six");
  await open.getByRole("button", { name: "Send 1 of 1" }).click();
  await isDone(page);
  await tab(page, "State").click();
  for (const answer of ["blue", "from elsewhere", "thanks"]) await expect(details(page)).toContainText(answer);
  await expect(details(page)).not.toContainText("thirty-six");
});

test("what is being typed stays when another client answers the other question", async ({ page }) => {
  await enter(page, "parallel");
  await run(page);
  await details(page).getByRole("textbox", { name: "Your answer" }).fill("thirty-six");
  await answerElsewhere(page, "Which colour", "red");
  await expect(details(page).getByText("Somebody else has answered")).toBeVisible();
  // The answer is sent at once only if its question is the last open one.
  await expect(details(page).getByRole("region", { name: "Open questions" })).toHaveCount(0);
  await expect(question(page).getByRole("textbox")).toHaveValue("thirty-six");
  await question(page).getByRole("button", { name: "Answer", exact: true }).click();
  await isDone(page);
  await tab(page, "State").click();
  for (const answer of ["red", "thirty-six"]) await expect(details(page)).toContainText(answer);
});

test("an answer to a thread that has ended is told, and starts nothing", async ({ page, browser }) => {
  await enter(page, "parallel");
  await run(page);
  const open = details(page).getByRole("region", { name: "Open questions" });
  await expect(open).toBeVisible();
  const other = await another(browser, page, "parallel");
  const release = await keepUnaware(other);
  const questions = details(other).getByRole("region", { name: "Open questions" });
  await questions.getByRole("textbox").fill("mine alone");
  await questions.getByRole("button", { name: "Answer", exact: true }).click();
  const { interrupts } = (await (await fetch(`${server().url}/threads/${await threadOf(page)}`)).json()) as {
    interrupts: Record<string, { id: string }[]>;
  };
  const resume = Object.fromEntries(
    Object.values(interrupts)
      .flat()
      .map(({ id }) => [id, "from elsewhere"]),
  );
  await post(server().url, `/threads/${await threadOf(page)}/runs/wait`, {
    assistant_id: "parallel",
    command: { resume },
  });
  await questions.getByRole("button", { name: "Send 1 of 2" }).click();
  await expect(passed(other)).toBeVisible();
  release();
  await isDone(other);
  await expect(passed(other)).toBeVisible();
  await tab(other, "State").click();
  await expect(details(other)).toContainText("from elsewhere");
  await expect(details(other)).not.toContainText("mine alone");
  await other.context().close();
});

test("a run that another client starts on the thread is shown, and ends as that client cancels it", async ({
  page,
}) => {
  await enterSlow(page);
  await run(page);
  await isDone(page);
  const runs = `/threads/${await threadOf(page)}/runs`;
  const asked = { assistant_id: "slow", input: { ms: 60_000 }, stream_resumable: true, stream_mode: ["debug"] };
  const { run_id } = await post<{ run_id: string }>(server().url, runs, asked);
  await expect(node(page, "wait")).toHaveAccessibleName(/running/);
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  await fetch(`${server().url}${runs}/${run_id}/cancel`, { method: "POST" });
  await expect(status(page)).toHaveText("Stopped");
  await expect(node(page, "wait")).toHaveAccessibleName(/cancelled/);
  await expect(steps(page).filter({ hasText: "wait" })).toContainText("Cancelled");
});
