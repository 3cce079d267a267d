import { join } from "node:path";
import { expect } from "@playwright/test";
import { isRefresh } from "../../lib/server/refreshed-page.ts";
import { call, untilState } from "../support/control.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { startServer } from "../support/server.ts";
import { DESKTOP, open, test } from "./fixtures.ts";
import { post } from "./rooms.ts";

// A browser sends a request again when a connection that it has used before breaks. The thread is taken by then.
test.use({ viewport: DESKTOP, expected: [/net::ERR_|409 \(Conflict\)/] });

test("a page says that the server is gone, and recovers by itself when it is back", async ({ page }) => {
  const first = await startServer();
  // The page loads the code of the alert by itself, because nothing can be loaded later.
  const alertCode = page.waitForResponse(
    async (response) =>
      response.request().resourceType() === "script" && (await response.text()).includes("no run was started"),
  );
  await open(page, `${first.url}/deployments/default/chat?assistant=echo`);
  await expect(page.getByText("Platform healthy")).toBeVisible();
  await alertCode;
  await first.crash();
  await expect(page.getByText("The server does not answer. Reconnecting…")).toBeVisible();

  await page.getByRole("textbox").fill("Are you there?");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert").filter({ hasText: "Connection lost" });
  await expect(alert).toContainText("no run was started");

  const second = await startServer({ home: first.home, env: { PORT: new URL(first.url).port } });
  try {
    await expect(page.getByText("Platform healthy")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("Reconnecting…")).toHaveCount(0);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("article").locator(".markdown")).toContainText("Are you there?");
  } finally {
    await second.stop();
  }
});

test("a question whose response is lost with the connection is answered, and asked once", async ({ page }) => {
  const server = await startServer({ app: join(import.meta.dirname, "../client/apps/chat") });
  const proxy = await startCuttingProxy(server.url, [Number.NEGATIVE_INFINITY], /^content-location: .*\/runs\//im);
  try {
    await open(page, `${proxy.url}/deployments/default/chat?assistant=slow`);
    await page.getByRole("textbox").fill("Did it arrive?");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
    expect(proxy.lost()).toBe(1);
    await expect(page.locator("main").getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
    expect(await post<unknown[]>(server.url, "/runs/search", {})).toHaveLength(1);
  } finally {
    await proxy.close();
    await server.stop();
  }
});

test("away from the chat, a toast says that the connection is lost, and that it is back", async ({ page }) => {
  const first = await startServer();
  await open(page, `${first.url}/deployments/default/settings`);
  const toasts = page.getByRole("region", { name: "Notifications" });
  // The page loads the code of toasts by itself, because nothing can be loaded later.
  await expect(toasts).toBeAttached();
  await first.crash();
  await expect(toasts).toContainText("The server does not answer");
  const second = await startServer({ home: first.home, env: { PORT: new URL(first.url).port } });
  try {
    await expect(toasts).toContainText("Connected again");
    await expect(toasts).not.toContainText("The server does not answer");
  } finally {
    await second.stop();
  }
});

test("changes that come while the page is refreshed leave it in its place, one refresh after the other", async ({
  page,
}) => {
  const server = await startServer();
  try {
    await open(page, `${server.url}/deployments/default/chat?assistant=echo`);
    await page.getByRole("textbox").fill("first");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
    await page.getByRole("textbox").fill("half a sentence");
    let [current, most, refreshes, isHeld] = [0, 0, 0, true];
    await page.route(/thread=/, async (route) => {
      const { rsc, "next-router-prefetch": prefetch } = route.request().headers();
      if (route.request().method() !== "GET" || rsc === undefined || prefetch !== undefined)
        return await route.continue();
      refreshes++;
      expect(isRefresh(route.request().headers())).toBe(true);
      most = Math.max(most, ++current);
      // A slow server: the refresh ends when all changes have come.
      while (isHeld) await new Promise((resolve) => setTimeout(resolve, 50));
      await route.fulfill({ response: await route.fetch() });
      current--;
    });
    const source = { type: "folder", path: join(import.meta.dirname, "apps/broken") };
    for (const name of ["first", "second", "third"]) {
      await call(server, "POST", "/deployments", { name, source });
      await untilState(server, name, ["config_failed", "start_failed"]);
    }
    isHeld = false;
    await expect.poll(() => refreshes > 1 && current === 0).toBe(true);
    expect(most).toBe(1);
    await page.getByRole("button", { name: /^default/ }).click();
    await expect(page.getByRole("dialog").getByText("third")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("textbox")).toHaveValue("half a sentence");
  } finally {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await server.stop();
  }
});
