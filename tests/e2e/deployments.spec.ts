import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { DESKTOP, expectAccessible, open, PHONE, test } from "./fixtures.ts";

const run = promisify(execFile);

test.use({ viewport: DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Returns the arguments that a shell passes to curl when the text is pasted. */
async function shellWords(snippet: string): Promise<string[]> {
  const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${snippet}`]);
  return stdout.split("\0").slice(0, -1);
}

async function pasteCurl(snippet: string): Promise<string> {
  const words = await shellWords(snippet);
  const url = words.find((word) => word.startsWith("http")) ?? "";
  const headers = words.flatMap((word, index) => (words[index - 1] === "-H" ? [word.split(/:\s*/, 2)] : []));
  const answer = await fetch(url, {
    method: "POST",
    headers: headers.map(([name = "", value = ""]): [string, string] => [name, value]),
    body: words.at(-1),
  });
  expect(answer.status).toBe(200);
  return await answer.text();
}

test("the list shows the deployment, and a row leads to its overview", async ({ page, baseURL }) => {
  await open(page, "/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 deployment");
  const row = page.getByRole("row", { name: /default/ });
  await expect(row).toContainText("Ready");
  await expect(row).toContainText("agent, approval, echo");
  await row.getByRole("button", { name: "Copy URL of default" }).click();
  expect(await clipboard(page)).toBe(`${baseURL}/agents/default`);
  await row.click({ position: { x: 400, y: 32 } });
  await expect(page).toHaveURL("/deployments/default");
  await expect(page.getByRole("heading", { level: 1, name: "default" })).toBeVisible();
});

test("the list is filtered by name, source and graph, and the address keeps the filter", async ({ page }) => {
  await open(page, "/");
  await page.keyboard.press("/");
  await page.keyboard.type("approval");
  await expect(page.getByRole("row", { name: /default/ })).toBeVisible();
  await page.keyboard.type(" nowhere");
  await expect(page.getByText("No deployment matches")).toBeVisible();
  await open(page, page.url());
  await expect(page.getByRole("searchbox")).toHaveValue("approval nowhere");
  await page.getByRole("button", { name: "Clear filter" }).click();
  await expect(page.getByRole("row", { name: /default/ })).toBeVisible();
  await expect(page).toHaveURL("/");
});

test("the overview copies addresses that answer", async ({ page, baseURL }) => {
  await open(page, "/deployments/default");
  await page.getByRole("button", { name: "Copy API URL" }).click();
  const api = await clipboard(page);
  expect(api).toBe(`${baseURL}/agents/default`);
  expect(await (await fetch(`${api}/ok`)).json()).toMatchObject({ ok: true });
  await page.getByRole("button", { name: "Copy Agent card" }).click();
  const card = await (await fetch(await clipboard(page))).json();
  expect(card).toMatchObject({ name: "agent", url: `${baseURL}/agents/default/a2a/agent` });
});

test("the worker's health is shown", async ({ page }) => {
  await open(page, "/deployments/default");
  const worker = page.getByRole("region", { name: "Worker" });
  await expect(worker).toContainText("Ready");
  await expect(worker.getByText("Process").locator("..")).toContainText(/\d+/);
  await expect(worker).toContainText("Startup time");
  await expect(worker).toContainText("none");
});

test("the curl line works when pasted, and runs here with the same events", async ({ page }) => {
  await open(page, "/deployments/default");
  await page.getByRole("button", { name: "Copy: Quick start with curl" }).click();
  const body = await pasteCurl(await clipboard(page));
  expect(body).toContain("event: metadata");
  const events = [...body.matchAll(/^event: (.*)$/gm)].map((match) => match[1]);

  await page.getByRole("button", { name: "Run it here" }).click();
  await expect(page.getByText(`${events.length} events in`)).toBeVisible();
  const lines = page.getByRole("region", { name: "Events of the run" }).getByRole("listitem");
  await expect(lines).toHaveCount(events.length);
  await expect(lines.last()).toContainText("updates");
});

test("the A2A line works when pasted", async ({ page }) => {
  await open(page, "/deployments/default");
  await page.getByRole("tab", { name: "A2A" }).click();
  await page.getByRole("button", { name: "Copy: Quick start with A2A" }).click();
  const reply: unknown = JSON.parse(await pasteCurl(await clipboard(page)));
  expect(reply).toMatchObject({ jsonrpc: "2.0", id: 1, result: { kind: "task", status: { state: "completed" } } });
});

test("the JavaScript runs as it was copied", async ({ page }) => {
  await open(page, "/deployments/default?start=javascript");
  await page.getByRole("button", { name: "Copy: Quick start with JavaScript" }).click();
  // Inside the project, so that the package is found.
  const folder = join(import.meta.dirname, "../../test-results/quick-start");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "run.mjs"), await clipboard(page));
  const { stdout } = await run(process.execPath, [join(folder, "run.mjs")]);
  await rm(folder, { recursive: true });
  expect(stdout).toContain("metadata");
  expect(stdout).toContain("updates");
});

test("the Python is what the SDK of that language takes", async ({ page, baseURL }) => {
  await open(page, "/deployments/default?start=python");
  await page.getByRole("button", { name: "Copy: Quick start with Python" }).click();
  const code = await clipboard(page);
  expect(code).toContain(`get_sync_client(url="${baseURL}/agents/default")`);
  expect(code).toContain('None, "agent",');
});

test("every graph is drawn, and the address names the one that is seen", async ({ page }) => {
  await open(page, "/deployments/default");
  const agent = page.getByRole("figure", { name: "Graph agent" });
  await expect(agent.locator(".react-flow__node").first()).toBeVisible();
  await expect(agent).toContainText("start leads to");
  await page.getByRole("link", { name: "approval", exact: true }).click();
  await expect(page).toHaveURL(/graph=approval/);
  const approval = page.getByRole("figure", { name: "Graph approval" });
  await expect(approval.locator(".react-flow__node")).toHaveCount(6);
  await page.reload();
  await expect(approval).toBeVisible();
  await page.getByRole("link", { name: "echo", exact: true }).click();
  await expect(page.getByRole("figure", { name: "Graph echo" }).locator(".react-flow__node")).toHaveCount(3);
});

test("keys lead through the pages, and help lists them", async ({ page }) => {
  await open(page, "/");
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page).toHaveURL("/deployments/default");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toBeVisible();
  await help.getByRole("checkbox", { name: /Single-key/ }).uncheck();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.keyboard.press("?");
  await expect(help).toBeHidden();
  await expect(page).toHaveURL("/deployments/default");
});

test("on a phone the sidebar is a drawer and nothing is wider than the screen", async ({ page }) => {
  await page.setViewportSize(PHONE);
  for (const path of ["/", "/deployments/default", "/deployments/default/chat"]) {
    await open(page, path);
    await expect(page.getByRole("button", { name: "Open the menu" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  }
  await page.getByRole("button", { name: "Open the menu" }).click();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await menu.getByRole("link", { name: "Overview" }).click();
  await expect(page).toHaveURL("/deployments/default");
  await expect(menu).toBeHidden();
});

test.describe("an address that leads nowhere", () => {
  test.use({ expected: [/40[04]/] });

  test("is answered with 404 and a way back", async ({ page }) => {
    for (const path of ["/deployments/nobody", "/deployments/nobody/chat", "/nowhere"]) {
      expect((await page.goto(path))?.status()).toBe(404);
      await expect(page.getByRole("link", { name: /deployments/i }).first()).toBeVisible();
      await expect(page).toHaveTitle("Not found · Graphlib");
    }
  });

  test("is answered with a page that can be read, also when it cannot be decoded", async ({ page }) => {
    for (const path of ["/deployments/%E0%A4%A/chat", "/%"]) {
      expect((await page.goto(path))?.status()).toBe(400);
      await expect(page.getByRole("heading", { name: "This address cannot be read" })).toBeVisible();
      await expect(page).toHaveTitle("This address cannot be read · Graphlib");
      // Its style is applied.
      await expect(page.getByRole("main")).toHaveCSS("max-width", "384px");
      await expectAccessible(page);
      await page.getByRole("link", { name: "Go to the start page" }).click();
      await expect(page).toHaveURL("/");
    }
  });

  test("says that the graph or the revision is missing, not the deployment", async ({ page }) => {
    for (const [path, what, lead] of [
      ["studio/nothing", "graph", "Open the Studio"],
      ["revisions/99", "revision", "All revisions"],
      ["revisions/x", "revision", "All revisions"],
    ] as const) {
      expect((await page.goto(`/deployments/default/${path}`))?.status()).toBe(404);
      await expect(page.getByText(`There is no such ${what}`)).toBeVisible();
      await expect(page.getByText("No deployment has this name")).toHaveCount(0);
      await expectAccessible(page);
      await page.getByRole("link", { name: lead }).click();
      await expect(page).toHaveURL(/\/(studio\/agent|revisions)$/);
    }
  });

  test("says that the assistant or the revision of its query is missing, and leads on", async ({ page }) => {
    const nobody = "00000000-0000-4000-8000-000000000000";
    for (const [path, name, what, lead] of [
      ["chat?assistant", "nope", "assistant", "Chat with another assistant"],
      ["chat?assistant", nobody, "assistant", "Chat with another assistant"],
      ["a2a?assistant", "nope", "assistant", "A2A with another assistant"],
      ["logs?revision", "99", "revision", "The server log"],
      ["logs?revision", "x", "revision", "The server log"],
    ] as const) {
      await page.goto(`/deployments/default/${path}=${name}`);
      await expect(page.getByText(`There is no such ${what}`)).toBeVisible();
      await expect(page.getByRole("main")).toContainText(name);
      await expectAccessible(page);
      await page.getByRole("link", { name: lead }).click();
      await expect(page).toHaveURL(/\/(chat|a2a|logs)$/);
      await expect(page.getByText("There is no such")).toHaveCount(0);
    }
    const assistants = await (await page.request.post("/assistants/search", { data: { graph_id: "echo" } })).json();
    await page.goto(`/deployments/default/chat?assistant=${String(assistants[0].assistant_id)}`);
    await expect(page.getByRole("textbox", { name: /echo/ })).toBeVisible();
    await page.goto("/deployments/default/logs?revision=1");
    await expect(page.getByRole("heading", { name: "Build log of revision 1" })).toBeVisible();
  });
});

test("the theme is kept, and holds before the first paint", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, "/");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.goto("/deployments/default", { waitUntil: "commit" });
  await page.waitForSelector("body");
  expect(await page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(true);
});
