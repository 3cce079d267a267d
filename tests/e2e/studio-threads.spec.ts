/** Walks the paths of the studio on a thread: stop and ask, go back, hand over; and its faults. */
import { expect } from "@playwright/test";
import { expectAccessible, hold, test } from "./fixtures.ts";
import { post, question } from "./rooms.ts";
import {
  details,
  graph,
  isDone,
  node,
  run,
  scrubber,
  send,
  status,
  steps,
  tab,
  threadOf,
  withStudio,
} from "./studio-page.ts";

const { server, enter, enterSlow } = withStudio();

interface Checkpoint {
  checkpoint: { checkpoint_id: string };
}

test.describe("stop and ask", () => {
  test("a breakpoint stops a run, which goes on step by step, by the keyboard alone", async ({ page }) => {
    await enter(page, "agent");
    await node(page, "tools").focus();
    await page.keyboard.press("b");
    await expect(node(page, "tools")).toHaveAccessibleName(/breakpoint before/);
    await send(page, "refund");
    await expect(status(page)).toHaveText("Paused before tools");
    await page.getByRole("main").focus();
    await page.keyboard.press("s");
    await expect(status(page)).toHaveText("Paused before model");
    // The log goes on: it still has the steps before the pause.
    await expect(steps(page).filter({ hasText: "triage" })).toHaveCount(1);
    await page.keyboard.press("Space");
    await isDone(page);
    await expect(node(page, "tools")).toHaveAccessibleName(/done/);
  });

  test("a running node is stopped", async ({ page }) => {
    await enterSlow(page, 60_000);
    await run(page);
    await expect(node(page, "wait")).toHaveAccessibleName(/running/);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(status(page)).toHaveText("Stopped");
    await expect(node(page, "wait")).toHaveAccessibleName(/cancelled/);
  });

  test("interrupts of parallel tasks are answered together", async ({ page }) => {
    await enter(page, "parallel");
    await run(page);
    const waiting = details(page).getByRole("region", { name: "Open questions" });
    await expect(waiting).toContainText("2 questions wait for you");
    await waiting.getByRole("textbox").fill("36");
    await waiting.getByRole("button", { name: "Answer", exact: true }).click();
    // A question with options has a button for each of them, and shows no JSON.
    await expect(waiting).not.toContainText("options");
    await waiting.getByRole("button", { name: "Red", exact: true }).click();
    await waiting.getByRole("button", { name: "Send 2 of 2" }).click();
    await isDone(page);
    await tab(page, "State").click();
    await expect(details(page)).toContainText("thanks");
  });

  test("one of two interrupts is answered, and the other stays open", async ({ page }) => {
    await enter(page, "parallel");
    await run(page);
    const waiting = details(page).getByRole("region", { name: "Open questions" });
    await waiting.getByRole("textbox").fill("36");
    await waiting.getByRole("button", { name: "Answer", exact: true }).click();
    await waiting.getByRole("button", { name: "Send 1 of 2" }).click();
    const last = details(page).getByRole("region", { name: "Waiting for you" });
    await expect(last).toContainText("Which colour?");
    await expect(last).not.toContainText("How old are you?");
    await last.getByRole("button", { name: "Blue", exact: true }).press("Enter");
    await isDone(page);
  });
});

test.describe("go back", () => {
  test("the timeline scrubs through the thread with arrow keys, and shows the state of then", async ({ page }) => {
    await enter(page, "agent", "?tab=state");
    await send(page, "refund");
    await isDone(page);
    await tab(page, "State").click();
    await expect(details(page)).toContainText("It is settled");
    await scrubber(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(details(page)).not.toContainText("It is settled");
    await expect(details(page)).toContainText("Found it.");
    await expect(node(page, "answer")).toHaveAccessibleName(/waiting/);
    const shown = page.url();
    await page.reload();
    await expect(details(page)).toContainText("Found it.");
    expect(page.url()).toBe(shown);
    await page.keyboard.press("]");
    await expect(details(page)).toContainText("It is settled");
  });

  test("steps through checkpoints that are asked for before these are read are taken then", async ({ page }) => {
    await enter(page, "agent");
    await send(page, "refund");
    await isDone(page);
    await tab(page, "State").click();
    await scrubber(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(details(page)).toContainText("Found it.");
    await expect(page).toHaveURL(/checkpoint=/);
    const release = await hold(page, "**/history*");
    await page.reload();
    await expect(details(page)).toContainText("Found it.");
    // One step more than there are leads to the newest, as it does later.
    for (const key of ["[", "]", "]", "]"]) await page.keyboard.press(key);
    release();
    await expect(details(page)).toContainText("It is settled");
    await expect(page).not.toHaveURL(/checkpoint=/);
  });

  test("an edited state forks the thread, and the branches are compared", async ({ page }) => {
    await enterSlow(page);
    await run(page);
    await isDone(page);
    const first = await threadOf(page);
    await scrubber(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: /^From here/ }).click();
    await page.getByRole("button", { name: "Edit the state and fork" }).click();
    const editor = details(page).getByRole("textbox", { name: "State" });
    await editor.fill('{"ms":1,"text":"edited by hand"}');
    const release = await hold(page, /\/state$/, "POST");
    await details(page).getByRole("button", { name: "Fork with this state" }).click();
    const goOn = page.getByRole("button", { name: "Continue Space" });
    await expect(goOn).toBeDisabled();
    await expect(details(page).getByRole("region", { name: "Paused" })).toHaveCount(0);
    await page.getByRole("button", { name: /^From here/ }).click();
    await expect(page.getByRole("button", { name: "Run on from here" })).toBeDisabled();
    await page.keyboard.press("Escape");
    release();
    await expect(editor).toBeHidden();
    await expect(details(page)).toContainText("edited by hand");
    await goOn.click();
    await isDone(page);
    expect(await threadOf(page)).toBe(first);
    await scrubber(page).focus();
    await page.keyboard.press("Home");
    await expect(graph(page).getByText("A past state is shown")).toBeVisible();
    await page.getByRole("button", { name: /^From here/ }).click();
    await page.getByRole("button", { name: "Compare with the newest" }).click();
    await expect(details(page).getByRole("region", { name: "Comparison" })).toContainText("text");
  });

  test("two branches are compared from their fork on, and their values are opened", async ({ page }) => {
    const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
    const at = `/threads/${thread_id}`;
    const ask = (content: string, more: object) =>
      post(server().url, `${at}/runs/wait`, { assistant_id: "agent", input: question(content), ...more });
    const newest = async () => {
      const state = (await (await fetch(`${server().url}${at}/state`)).json()) as Checkpoint;
      return state.checkpoint.checkpoint_id;
    };
    await ask("Good morning", {});
    const fork = await newest();
    await ask("What of refunds?", {});
    const left = await newest();
    await ask("What of parcels?", { checkpoint_id: fork });
    await enter(page, "agent", `?thread=${thread_id}&checkpoint=${left}`);
    await page.getByRole("button", { name: /^From here/ }).click();
    await page.getByRole("button", { name: "Compare with the newest" }).click();
    const comparison = details(page).getByRole("region", { name: "Comparison" });
    await expect(comparison).toContainText(`Changes since ${fork.slice(-6)}`);
    const messages = comparison.getByRole("group", { name: "messages" });
    await expect(messages.getByRole("group", { name: "Here", exact: true })).toContainText("What of refunds?");
    await expect(messages.getByRole("group", { name: "There", exact: true })).toContainText("What of parcels?");
    const topic = comparison.getByRole("group", { name: "topic" });
    await expect(topic.getByRole("group", { name: "Here", exact: true })).toContainText("What of refunds?");
    await messages
      .getByRole("group", { name: "There", exact: true })
      .getByRole("button", { name: "Message 5 as JSON" })
      .click();
    await expect(messages.getByRole("group", { name: "There", exact: true })).toContainText("additional_kwargs");
    await expectAccessible(page);
    await details(page).getByRole("button", { name: "End the comparison" }).click();
    await expect(comparison).toBeHidden();
  });

  test("the editor that a link opens waits for the state", async ({ page }) => {
    const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
    const input = { ms: 1, text: "begin" };
    await post(server().url, `/threads/${thread_id}/runs/wait`, { assistant_id: "slow", input });
    const release = await hold(page, new RegExp(`/threads/${thread_id}`));
    await enter(page, "slow", `?thread=${thread_id}&tab=state&edit=true`);
    const editor = details(page).getByRole("textbox", { name: "State" });
    await expect(details(page).getByText("Loading the state")).toBeAttached();
    await expect(editor).toHaveCount(0);
    release();
    await expect(editor).toContainText('"after"');
  });

  test("an edit of messages says what is sent, and then what the graph's reducer made of it", async ({ page }) => {
    const { thread_id } = await post<{ thread_id: string }>(server().url, "/threads", {});
    const asked = { assistant_id: "agent", input: question("Good morning") };
    await post(server().url, `/threads/${thread_id}/runs/wait`, asked);
    await enter(page, "agent", `?thread=${thread_id}&tab=state&edit=true`);
    await details(page).getByRole("textbox", { name: "State" }).fill('{"messages":[],"topic":"Good morning"}');
    const sent = details(page).getByRole("region", { name: "What is sent" });
    await expect(sent).toContainText("messages: []");
    await expect(sent).toContainText("keeps those that you removed from messages");
    await expectAccessible(page);
    await details(page).getByRole("button", { name: "Fork with this state" }).click();
    await expect(details(page).getByRole("region", { name: "Changed by this edit" })).toContainText("Nothing");
    await expect(details(page).getByRole("region", { name: "messages" })).toContainText("Good morning");
  });

  test("a past checkpoint is copied to a new thread", async ({ page }) => {
    await enterSlow(page);
    await run(page);
    await isDone(page);
    const first = await threadOf(page);
    await scrubber(page).focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: /^From here/ }).click();
    await page.getByRole("button", { name: "Copy to a new thread" }).click();
    await expect.poll(() => threadOf(page)).not.toBe(first);
    await expect(status(page)).toHaveText("Paused before after");
  });
});

test.describe("hand over", () => {
  test("the view is a link, the run a call, and the thread and the graph are files", async ({ page }) => {
    await enter(page, "agent");
    await send(page, "refund");
    await isDone(page);
    const more = page.getByRole("button", { name: "Share and export" });
    await more.click();
    await page.getByRole("button", { name: "Copy the call as curl" }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain(`/threads/${await threadOf(page)}/runs/stream`);
    expect(await copied()).toContain('"assistant_id": "agent"');
    for (const [name, file] of [
      ["The thread as JSON", /thread-.*\.json$/],
      ["The graph as SVG", /agent\.svg$/],
      ["The graph as PNG", /agent\.png$/],
    ] as const) {
      await more.click();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name }).click();
      expect((await download).suggestedFilename()).toMatch(file);
    }
    await more.click();
    await page.getByRole("button", { name: "Open in the chat" }).click();
    await expect(page.getByRole("article").first()).toContainText("refund");
  });
});

test.describe("faults", () => {
  test("hostile names and contents are text", async ({ page }) => {
    await enter(page, "hostile");
    await run(page);
    await isDone(page);
    await expect(page.locator("img[src=x]")).toHaveCount(0);
  });

  test.describe("threads", () => {
    test.use({ expected: [/status of 4(04|22)/] });

    test("a thread that is gone, and an id that is none, are told", async ({ page }) => {
      await enter(page, "agent", "?thread=00000000-0000-4000-8000-000000000000");
      await expect(details(page)).toContainText("This thread no longer exists");
      await enter(page, "agent", "?thread=nonsense");
      await expect(details(page)).toContainText("This thread no longer exists");
    });
  });

  test.describe("run elsewhere", () => {
    test("a run that another client cancels ends as stopped", async ({ page, request }) => {
      await enterSlow(page, 60_000);
      await run(page);
      await expect(node(page, "wait")).toHaveAccessibleName(/running/);
      const runs = `${server().url}/threads/${await threadOf(page)}/runs`;
      const [{ run_id }] = (await (await request.get(runs)).json()) as [{ run_id: string }];
      await request.post(`${runs}/${run_id}/cancel`);
      await expect(status(page)).toHaveText("Stopped");
    });
  });
});
