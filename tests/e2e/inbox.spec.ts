/** Tests the inbox of the page of threads, where questions are answered in place. */
import { expect, type Page } from "@playwright/test";
import { makeThread, post, row, rows } from "./rooms.ts";
import { DESKTOP, expectAccessible, hold, hydrated, open, test, withServer } from "./fixtures.ts";

test.use({ viewport: DESKTOP, expected: [/409|422/] });

const ROOM = "/deployments/default/threads";
const card = (page: Page) => page.getByRole("region", { name: "Waiting for you" });

interface State {
  values: { decision?: string; reason?: string };
  tasks: { interrupts: { id: string }[] }[];
}

async function state(url: string, id: string): Promise<State> {
  // The graph of the test has these values.
  return (await (await fetch(`${url}/threads/${id}/state`)).json()) as State;
}

const server = withServer(() => ({}));
const url = (): string => server().url;

test("the inbox holds what waits for a person, which is answered in place by mouse and by keyboard", async ({
  page,
}) => {
  const first = await makeThread(url(), {}, "approval", "Tell Ada that her order ships");
  const second = await makeThread(url(), {}, "approval", "Tell Bob that the invoice is late");
  await makeThread(url(), {}, "echo", "Nothing to answer");
  await open(page, `${url()}${ROOM}?view=inbox`);
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText("Inbox · 2")).toBeVisible();
  await page.getByRole("button", { name: "Tell Ada that her order ships" }).click();
  await expect(card(page)).toContainText("To: Ada");
  await expectAccessible(page);
  await page.reload();
  await hydrated(page);
  await card(page).getByRole("button", { name: "Approve" }).click();
  await expect(row(page, "Tell Ada")).toBeHidden();
  await expect.poll(async () => (await state(url(), first)).values.decision).toBe("approve");

  await page.keyboard.press("j");
  await expect(row(page, "Tell Bob").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(card(page)).toContainText("To: Bob");
  await card(page).getByRole("button", { name: "Reject" }).focus();
  await page.keyboard.press("Enter");
  await card(page).getByRole("textbox").fill("Not yet");
  await card(page).getByRole("button", { name: "Reject" }).click();
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  await expect.poll(async () => (await state(url(), second)).values.reason).toBe("Not yet");
});

test("takes one of two answers, and tells the other person", async ({ page }) => {
  const id = await makeThread(url(), {}, "approval", "Tell Eve that it rains");
  await open(page, `${url()}${ROOM}?view=inbox`);
  await page.getByRole("button", { name: "Tell Eve that it rains" }).click();
  await expect(card(page)).toBeVisible();
  // The page does not learn of the other answer before it sends its own.
  const release = await hold(page, "**/threads/search");
  const [interrupt] = (await state(url(), id)).tasks.flatMap(({ interrupts }) => interrupts);
  const params = { interrupt_id: interrupt?.id, response: { decisions: [{ type: "approve" }] } };
  expect(await post(url(), `/threads/${id}/commands`, { id: 1, method: "input.respond", params })).toMatchObject({
    type: "success",
  });
  await card(page).getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Your answer did not count" })).toContainText("Tell Eve");
  release();
  await expect(row(page, "Tell Eve")).toBeHidden();
  await expect(page.getByText("Your answer did not count")).toBeVisible();
});

test("a question that somebody else answers is closed, and the page says so", async ({ page }) => {
  const id = await makeThread(url(), {}, "approval", "Tell Kim that it snows");
  const approve = async (): Promise<void> => {
    const [interrupt] = (await state(url(), id)).tasks.flatMap(({ interrupts }) => interrupts);
    const params = { interrupt_id: interrupt?.id, response: { decisions: [{ type: "approve" }] } };
    expect(await post(url(), `/threads/${id}/commands`, { id: 1, method: "input.respond", params })).toMatchObject({
      type: "success",
    });
  };
  const notice = page.getByText("The question is closed");
  await open(page, `${url()}${ROOM}?view=inbox`);
  const question = page.getByRole("button", { name: "Tell Kim that it snows" });
  await question.click();
  await expect(card(page)).toBeVisible();
  // A question that is hidden is still open.
  await question.click();
  await expect(card(page)).toBeHidden();
  await question.click();
  await card(page).getByRole("button", { name: "Reject" }).click();
  await card(page).getByRole("textbox").fill("Not so fast");
  await expect(notice).toBeHidden();
  await approve();
  await expect(card(page)).toBeHidden();
  await expect(notice).toBeVisible();
  await expectAccessible(page);
});

test("an answer from here is not told as somebody else's, on the page of the thread", async ({ page }) => {
  const id = await makeThread(url(), {}, "approval", "Tell Lea that it hails");
  await open(page, `${url()}${ROOM}/${id}`);
  await card(page).getByRole("button", { name: "Approve" }).click();
  await expect(card(page)).toBeHidden();
  await expect.poll(async () => (await state(url(), id)).values.decision).toBe("approve");
  await expect(page.getByText("Idle", { exact: true })).toBeVisible();
  await expect(page.getByText("The question is closed")).toBeHidden();
});

test.describe("when the server cannot be reached", () => {
  test.use({ expected: [/ERR_FAILED/] });

  test("a written answer is kept with its form until it can be sent", async ({ page }) => {
    await makeThread(url(), {}, "approval", "Tell Zoe that her order ships");
    await open(page, `${url()}${ROOM}?view=inbox`);
    await page.getByRole("button", { name: "Tell Zoe that her order ships" }).click();
    await card(page).getByRole("button", { name: "Edit" }).click();
    await card(page).getByRole("textbox", { name: "Text" }).fill("Dear Zoe, it is on its way.");
    await page.route("**/commands", (route) => route.abort());
    await card(page).getByRole("button", { name: "Send answer" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "The answer was not sent" })).toBeVisible();
    await expect(card(page).getByRole("textbox", { name: "Text" })).toHaveValue("Dear Zoe, it is on its way.");
    await page.unroute("**/commands");
    await card(page).getByRole("button", { name: "Send answer" }).click();
    await expect(row(page, "Tell Zoe")).toBeHidden();
  });
});
