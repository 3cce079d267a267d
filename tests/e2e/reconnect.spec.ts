import { expect } from "@playwright/test";
import { startServer } from "../support/server.ts";
import { DESKTOP, open, test } from "./fixtures.ts";

test.use({ viewport: DESKTOP, expected: [/net::ERR_/] });

test("a page says that the server is gone, and recovers by itself when it is back", async ({ page }) => {
  const first = await startServer();
  await open(page, `${first.url}/deployments/default/chat?assistant=echo`);
  await expect(page.getByText("Platform healthy")).toBeVisible();
  await first.crash();
  await expect(page.getByText("The server does not answer. Reconnecting…")).toBeVisible();

  await page.getByRole("textbox").fill("Are you there?");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert").filter({ hasText: "Connection lost" });
  await expect(alert).toContainText("no run was started");

  const second = await startServer({ home: first.home, env: { PORT: new URL(first.url).port } });
  try {
    await expect(page.getByText("Platform healthy")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("Reconnecting…")).toBeHidden();
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("article").locator(".markdown")).toContainText("Are you there?");
  } finally {
    await second.stop();
  }
});
