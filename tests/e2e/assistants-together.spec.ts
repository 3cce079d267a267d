/** Tests the assistants' page when two people change one assistant. */
import { expect } from "@playwright/test";
import { list, tab, withAssistants } from "./assistants-page.ts";
import { expectAccessibleInBothSchemes, PHONE, test } from "./fixtures.ts";

const { api, make, stored, openAssistant } = withAssistants();

test("a save that would undo another person's sends nothing, and takes over what only that one has changed", async ({
  page,
}) => {
  const context = { plan_prompt: "Plan.", words: 5 };
  const { assistant_id: id } = await make(page, { graph_id: "writer", name: "Shared", context });
  await openAssistant(page, id, "&tab=prompts");
  const plan = page.getByRole("textbox", { name: "Plan prompt" });
  await plan.fill("Plan well.");
  await api(page, `/assistants/${id}`, { context: { ...context, words: 9 } }, "PATCH");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(page.getByText("Version 2 was saved meanwhile")).toBeVisible();
  await expect.poll(() => stored(page, id)).toMatchObject({ version: 2, context: { ...context, words: 9 } });
  await expect(plan).toHaveValue("Plan well.");
  await expect(page.getByRole("button", { name: "Take theirs" })).toHaveCount(0);

  await page.getByRole("button", { name: "Show version 2" }).click();
  await expect(page.getByRole("region", { name: "Version 2" })).toContainText("words");
  await tab(page, "Prompts").click();
  await expect(list(page)).toContainText("Not saved");
  await page.getByRole("button", { name: "Save as version 3" }).click();
  await expect(page.getByText("was saved meanwhile")).toHaveCount(0);
  await expect(list(page)).toContainText("v3");
  await expect.poll(async () => (await stored(page, id)).context).toEqual({ plan_prompt: "Plan well.", words: 9 });
});

test("a member that two people have changed is kept or given up by a press of its own", async ({ page }) => {
  const { assistant_id: id } = await make(page, {
    graph_id: "writer",
    name: "Disputed",
    context: { plan_prompt: "Plan." },
  });
  const theirs = (text: string) => api(page, `/assistants/${id}`, { context: { plan_prompt: text } }, "PATCH");
  await openAssistant(page, id, "&tab=prompts");
  const plan = page.getByRole("textbox", { name: "Plan prompt" });
  await plan.fill("Mine.");
  await theirs("Theirs.");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Version 2 was saved meanwhile" })).toContainText(
    "context.plan_prompt",
  );
  await expect(plan).toHaveValue("Mine.");
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize(PHONE);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await page.getByRole("button", { name: "Save as version 3" }).click();
  await expect(page.getByRole("button", { name: /^Save as/ })).toHaveCount(0);
  await expect.poll(async () => (await stored(page, id)).context).toEqual({ plan_prompt: "Mine." });

  await plan.fill("Mine again.");
  await theirs("Theirs again.");
  await page.getByRole("button", { name: "Save as version 4" }).click();
  await page.getByRole("button", { name: "Take theirs" }).click();
  await expect(plan).toHaveValue("Theirs again.");
  await expect(page.getByRole("button", { name: /^Save as/ })).toHaveCount(0);
  await expect.poll(() => stored(page, id)).toMatchObject({ version: 4, context: { plan_prompt: "Theirs again." } });
});
