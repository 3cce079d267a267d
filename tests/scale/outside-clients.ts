/** Official clients of Agent2Agent, and the chat in a browser, while servers come and go. */
import { setTimeout as pause } from "node:timers/promises";
import { chromium, type Page } from "@playwright/test";
import { type Caller, callers } from "../api/a2a-callers.ts";
import { BROWSER_ARGS, findBrowser } from "../support/browser.ts";
import { again } from "./load.ts";

export interface OutsideClients {
  /** The numbers of tasks of Agent2Agent and of turns in the chat that were answered. */
  answered: { tasks: number; turns: number };
  faults: string[];
}

/** The time in which the chat has to have an answer, in ms: longer than a lease and a start. */
const ANSWERED_MS = 60_000;

/** Connects every client. Returns a function that uses them until `ended` resolves. */
export async function openOutsideClients(url: string): Promise<(ended: Promise<void>) => Promise<OutsideClients>> {
  const card = "/.well-known/agent-card.json?assistant_id=long";
  const agents = await Promise.all(
    callers.map(async ([name, connect]) => ({ name, caller: await connect(url, card) })),
  );
  const page = await openChat(url);
  return async (ended) => {
    const faults: string[] = [];
    let isOver = false;
    void ended.then(() => (isOver = true));
    const use = { goOn: () => !isOver, faults };
    const tasks = agents.map(async (agent) => await sendTasks({ ...use, ...agent }));
    const turns = page ? await chat(page, use) : 0;
    const answered = await Promise.all(tasks);
    return { answered: { tasks: answered.reduce((sum, one) => sum + one, 0), turns }, faults };
  };
}

interface Use {
  goOn: () => boolean;
  faults: string[];
}

/** Sends one task after the other, and follows each to its end over broken connections. Returns how many there were. */
async function sendTasks({ goOn, faults, name, caller }: Use & { name: string; caller: Caller }): Promise<number> {
  let count = 0;
  while (goOn()) {
    const text = `Task ${++count} of ${name}`;
    const { id } = await again(() => caller.sendAsync(text));
    let task = await again(() => caller.get(id));
    while (task.state === "submitted" || task.state === "working") {
      await caller.resubscribe(id).catch(() => pause(50));
      task = await again(() => caller.get(id));
    }
    if (task.state !== "completed" || task.reply !== text)
      faults.push(`${text} is ${task.state} with ${JSON.stringify(task.reply ?? task.statusText)}`);
  }
  return count;
}

async function openChat(url: string): Promise<Page | undefined> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    console.warn("No browser is installed: the chat was not used.");
    return undefined;
  }
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
  const page = await browser.newPage();
  await page.goto(`${url}/deployments/default/chat?assistant=long`);
  // The page loses text that is typed before it is hydrated.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("textarea") ?? {}).some((key) => key.startsWith("__reactProps$")),
  );
  return page;
}

/** Asks one question after the other, as a person does who reads each answer. Returns how many there were. */
async function chat(page: Page, { goOn, faults }: Use): Promise<number> {
  page.on("pageerror", (error) => faults.push(`exception in the chat: ${error.message}`));
  const broken: string[] = [];
  page.on("requestfailed", (request) => {
    if (request.method() === "POST") broken.push(`${request.url()} ${request.failure()?.errorText}`);
  });
  let count = 0;
  try {
    while (goOn()) {
      const question = `Question ${++count} of a person`;
      await page.getByRole("textbox").fill(question);
      await page.keyboard.press("Enter");
      // The answer has the same text, and may be there already.
      const asked = page
        .getByRole("article")
        .nth(count - 1)
        .getByText(question)
        .first();
      await asked.waitFor({ timeout: ANSWERED_MS });
      await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: ANSWERED_MS });
      const alerts = (await page.locator("main").getByRole("alert").allInnerTexts()).filter((text) => text !== "");
      if (alerts.length > 0) throw new Error(`it says ${alerts.join("; ")}`);
    }
  } catch (error) {
    const shown = await page.locator("main").innerText();
    faults.push(
      `the chat at question ${count}: ${String(error).split("\n")[0]}; it shows ${shown.slice(-300)}; ${broken.join()}`,
    );
  }
  await page.context().browser()?.close();
  return count;
}
