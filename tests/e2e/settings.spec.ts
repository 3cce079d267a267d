import { expect } from "@playwright/test";
import { DESKTOP, expectAccessible, open, test } from "./fixtures.ts";

test.use({ viewport: DESKTOP });

test("a variable whose name the server would refuse says so at its name, and is not sent", async ({ page }) => {
  await open(page, "/deployments/default/settings");
  const section = page.getByRole("region", { name: "Environment variables" });
  const save = section.getByRole("button", { name: "Save and restart" });
  await section.getByRole("button", { name: "Add variable" }).click();
  const name = section.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("1BAD NAME");
  await expect(name).toHaveAccessibleDescription("expected letters, digits and _, no digit first");
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await expect(save).toBeDisabled();
  await expectAccessible(page);
  await name.fill("GOOD_NAME1");
  await expect(name).toHaveAccessibleDescription("");
  await expect(save).toBeEnabled();
});
