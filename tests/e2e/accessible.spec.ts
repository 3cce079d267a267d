import { expect } from "@playwright/test";
import { DESKTOP, expectAccessibleInBothSchemes, open, PHONE, test } from "./fixtures.ts";
import { makeThread, post, row } from "./rooms.ts";

for (const [device, viewport] of [["desktop", DESKTOP] as const, ["phone", PHONE] as const]) {
  test.describe(device, () => {
    test.use({ viewport });

    test("axe finds nothing on the list", async ({ page }) => {
      await open(page, "/");
      await expect(page.getByRole("row", { name: /default/ })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
    });

    test("axe finds nothing on the overview", async ({ page }) => {
      await open(page, "/deployments/default");
      await expect(page.locator(".react-flow__node").first()).toBeVisible();
      await page.getByRole("button", { name: "Run it here" }).click();
      await expect(page.getByText(/events in/)).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.getByRole("tab", { name: "Python" }).click();
      await expectAccessibleInBothSchemes(page, "[role=tabpanel]");
    });

    test("axe finds nothing in a chat with tools, code and an approval", async ({ page }) => {
      await open(page, "/deployments/default/chat");
      await expectAccessibleInBothSchemes(page);
      await page.getByRole("textbox").fill("What is 12 * 7?");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("article")).toContainText("= 84");
      await page.getByRole("group", { name: "Tool calculate" }).locator("summary").click();
      await expectAccessibleInBothSchemes(page);

      await open(page, "/deployments/default/chat?assistant=echo");
      await page.getByRole("textbox").fill('# Title\n\n```js\nconst a = "b"; // c\n```\n\n|a|b|\n|-|-|\n|1|2|');
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: "Code" })).toBeVisible();
      await expectAccessibleInBothSchemes(page);

      await open(page, "/deployments/default/chat?assistant=approval");
      await page.getByRole("textbox").fill("Tell Ada that her order ships on Friday");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("region", { name: "Waiting for you" })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
    });

    test("axe finds nothing on the A2A page: card, frames, tasks", async ({ page }) => {
      await open(page, "/deployments/default/a2a?assistant=agent");
      await expect(page.getByText("All checks passed")).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.getByRole("tab", { name: "Try it" }).click();
      await page.getByLabel("Message", { exact: true }).fill("What is 12 * 7?");
      await page.keyboard.press("ControlOrMeta+Enter");
      await expect(page.getByText(/frames in/)).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.getByRole("tab", { name: "Tasks" }).click();
      await page
        .getByRole("button", { name: /12 \* 7/ })
        .first()
        .click();
      await expect(page.getByRole("region", { name: "Artifacts" })).toContainText("84");
      await expectAccessibleInBothSchemes(page);
    });

    test("axe finds nothing on threads, inbox, runs and crons", async ({ page, baseURL }) => {
      const url = baseURL ?? "";
      const thread = await makeThread(url, { title: "A thread" }, "approval", "Tell Ada that it rains");
      const { cron_id } = await post<{ cron_id: string }>(url, "/runs/crons", {
        assistant_id: "echo",
        schedule: "0 0 1 1 *",
      });
      await open(page, "/deployments/default/threads");
      await row(page, "A thread").first().focus();
      await page.keyboard.press("Space");
      await expectAccessibleInBothSchemes(page);
      await open(page, `/deployments/default/threads?view=inbox&open=${thread}`);
      await expect(page.getByRole("region", { name: "Waiting for you" })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      for (const tab of ["state", "messages", "history", "runs"]) {
        await open(page, `/deployments/default/threads/${thread}?tab=${tab}`);
        await expect(page.getByRole("tabpanel")).not.toContainText("Loading");
        await expectAccessibleInBothSchemes(page);
      }
      await open(page, "/deployments/default/runs");
      await expectAccessibleInBothSchemes(page);
      await row(page, "approval").first().getByRole("link").click();
      await expect(page.getByRole("list", { name: "Nodes over time" })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await open(page, `/deployments/default/crons?open=${cron_id}`);
      await expect(page.getByText("It has not run yet").or(page.getByText("This cron deletes"))).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await fetch(`${url}/runs/crons/${cron_id}`, { method: "DELETE" });
    });

    test("axe finds nothing in help and menu", async ({ page }) => {
      await open(page, "/deployments/default/chat");
      if (device === "phone") {
        await page.getByRole("button", { name: "Open the menu" }).click();
        await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
        await expectAccessibleInBothSchemes(page);
      }
      await page.getByRole("button", { name: "Shortcuts" }).last().click();
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
    });
  });
}
