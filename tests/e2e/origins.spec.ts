/** Tests foreign pages in a browser with a console session: of a deployment, of this machine, of another site. */
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "../support/browser.ts";
import { test, withServer } from "./fixtures.ts";

const app = join(import.meta.dirname, "../security/apps/origins");
const KEY = "a key that is long enough for a test";

/** The results that the page of the application shows. */
type Results = Record<string, string>;

const portOf = (url: string): string => new URL(url).port;

// The page tries forbidden requests on purpose, and its addresses differ from those of the other tests.
test.use({ expected: [/./] });

test.describe("a deployment's page beside a console with a session", () => {
  const server = withServer(() => ({ app, env: { GRAPHLIB_API_KEY: KEY } }));
  /** `default.agents.app.localhost` is same-site with `app.localhost`, as hosts of one domain are. */
  const home = () => `http://app.localhost:${portOf(server().url)}`;
  const own = () => `http://default.agents.app.localhost:${portOf(server().url)}`;

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${home()}/sign-in`);
    await page.getByLabel("API key").fill(KEY);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${home()}/`);
  }

  async function expectSignedIn(page: Page): Promise<void> {
    await page.goto(`${home()}/deployments/default`);
    await expect(page.getByText("Platform healthy")).toBeAttached();
    const status = await page.evaluate(async () => (await fetch("/api/deployments")).status);
    expect(status).toBe(200);
  }

  test("does not run its script at an address that it shares with the console", async ({ page, context }) => {
    await signIn(page);
    const before = await context.cookies();
    for (const path of ["/page", "/agents/default/page"]) {
      const answer = await page.goto(home() + path);
      expect(await answer?.headerValue("content-security-policy")).toBe("sandbox");
      await expect(page.locator("#ran")).toHaveText("The script has not run.");
    }
    expect(await context.cookies()).toEqual(before);
    await expectSignedIn(page);
  });

  test("runs at its own origin, and gets nothing of the console from there", async ({ page, context }) => {
    await signIn(page);
    const before = await context.cookies(home());
    await page.goto(`${own()}/page#${home()}`);
    await expect(page.locator("#ran")).toHaveText("The script has run.");
    await expect(page.locator("#got")).not.toBeEmpty();
    const results = JSON.parse(await page.locator("#got").innerText()) as Results;
    expect(results.cookie).not.toContain(before[0]?.value);
    expect(results.seen).not.toContain(before[0]?.value);
    for (const tried of ["api", "blind", "stop", "page", "action", "workerThere"]) {
      expect([tried, results[tried]]).toEqual([tried, expect.stringMatching(/^refused: (?:TypeError|SecurityError)$/)]);
    }
    expect(results).toMatchObject({
      here: expect.stringContaining("404 No such route: GET /api/deployments"),
      signIn: expect.stringContaining("404 No such route: GET /sign-in"),
      framed: "nothing to see",
      opened: "no hold",
      workerHere: `${own()}/`,
    });
    // Its service worker works at its own origin only.
    await page.reload();
    await expect.poll(() => page.evaluate(async () => (await fetch("/of-the-worker")).text())).toBe("of the worker");
    expect(await context.cookies(home())).toEqual(before);
    expect((await page.goto(`${home()}/of-the-worker`))?.status()).toBe(404);
    await expectSignedIn(page);
  });

  test("is linked from the console at its own origin", async ({ page }) => {
    await signIn(page);
    await page.goto(`${home()}/deployments/default`);
    const link = page.getByRole("link", { name: "Open the application’s pages" });
    await expect(link).toHaveAttribute("href", `${own()}/`);
    await page.goto(`${own()}/`);
    await expect(page).toHaveTitle("The application's own start");
  });
});

test.describe("a page elsewhere and a server without a key", () => {
  const server = withServer(() => ({ app }));
  let browser: Browser;
  let pages: Server;
  let port = 0;
  test.beforeAll(async () => {
    pages = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>A page</title>");
    });
    await new Promise<void>((listening) => pages.listen(0, "127.0.0.1", listening));
    const bound = pages.address();
    port = typeof bound === "object" ? (bound?.port ?? 0) : 0;
    // A foreign name resolves to this machine, as after DNS rebinding.
    const args = [...BROWSER_ARGS, "--host-resolver-rules=MAP evil.test 127.0.0.1"];
    browser = await chromium.launch({ executablePath: findBrowser(), args });
  });
  test.afterAll(async () => {
    await browser.close();
    pages.close().closeAllConnections();
  });

  interface CrossOriginRequest {
    api: string;
    path: string;
    type: string;
    mode?: RequestMode;
  }

  const post = (page: Page, request: CrossOriginRequest): Promise<string> =>
    page.evaluate(async ({ api, path, type, mode }) => {
      try {
        const body = JSON.stringify({ assistant_id: "echo", input: { word: "hello" }, stream_mode: "values" });
        const answer = await fetch(api + path, { method: "POST", headers: { "content-type": type }, body, mode });
        return `${answer.type} ${answer.status} ${await answer.text()}`;
      } catch {
        return "refused";
      }
    }, request);

  test("of another port of this machine holds a conversation", async () => {
    const page = await browser.newPage();
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://app.localhost:${port}`]) {
      await page.goto(origin);
      for (const api of [server().url, `http://localhost:${portOf(server().url)}`]) {
        const answer = await post(page, { api, path: "/runs/stream", type: "application/json" });
        expect(answer).toMatch(/^cors 200 event: metadata/);
        expect(answer).toContain('"word":"hello"');
      }
    }
    await page.close();
  });

  test("of a foreign origin reads nothing and changes nothing", async () => {
    const page = await browser.newPage();
    await page.goto(`http://evil.test:${port}`);
    const api = server().url;
    for (const path of ["/runs/wait", "/threads", "/threads/search", "/store/items/search", "/act"]) {
      for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
        expect([path, type, await post(page, { api, path, type })]).toEqual([path, type, "refused"]);
      }
      await post(page, { api, path, type: "text/plain", mode: "no-cors" });
    }
    await page.close();
    const seen = (await (await fetch(`${api}/seen`)).json()) as { acts: number };
    expect(seen.acts).toBe(0);
    const headers = { "content-type": "application/json" };
    const threads = await fetch(`${api}/threads/search`, { method: "POST", headers, body: "{}" });
    expect(await threads.json()).toEqual([]);
  });

  test("under a name that was made to lead here is refused with the reason, by console, API and files", async () => {
    const page = await browser.newPage();
    const rebound = `http://evil.test:${portOf(server().url)}`;
    for (const path of ["/", "/ok", "/page", "/api/deployments", "/icon.svg"]) {
      expect((await page.goto(rebound + path))?.status()).toBe(421);
      await expect(page.locator("body")).toContainText("set PUBLIC_URL");
    }
    await page.close();
  });
});
