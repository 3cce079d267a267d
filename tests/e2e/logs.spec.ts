import { expect } from "@playwright/test";
import { DESKTOP, expectAccessible, hydrated, open, test } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

test("the filters of a log stay in the address, and leave it when they are cleared", async ({ page }) => {
  await open(page, "/deployments/default/logs");
  const text = page.getByRole("searchbox", { name: "Filter lines" });
  const stream = page.getByRole("combobox", { name: "Stream" });
  await text.fill("no such line & more");
  await stream.selectOption("Errors");
  await expect(page).toHaveURL(/\/logs\?(?=.*q=no)(?=.*stream=err)/);
  await page.reload();
  await hydrated(page);
  await expect(text).toHaveValue("no such line & more");
  await expect(stream).toHaveValue("err");
  await expectAccessible(page);
  await text.fill("");
  await stream.selectOption("All lines");
  await expect(page).toHaveURL(/\/logs$/);
});
