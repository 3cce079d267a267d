/** Walks the first paths of the studio: understand, run, read. */
import { expect } from "@playwright/test";
import { DESKTOP, expectAccessibleInBothSchemes, PHONE, test } from "./fixtures.ts";
import { details, graph, isDone, node, run, send, status, steps, tab, withStudio } from "./studio-page.ts";

const { enter } = withStudio();

test.describe("understand", () => {
  test("a node that is clicked is described, and stands in the URL", async ({ page }) => {
    await enter(page, "agent");
    await node(page, "tools").click();
    await expect(tab(page, "Node")).toHaveAttribute("aria-selected", "true");
    await expect(details(page).getByRole("heading", { name: "tools" })).toBeVisible();
    await expect(details(page)).toContainText("model");
    expect(page.url()).toContain("node=tools");
    await page.reload();
    await expect(details(page).getByRole("heading", { name: "tools" })).toBeVisible();
    await expect(node(page, "tools")).toHaveAttribute("aria-pressed", "true");
  });

  test("arrow keys select nodes, and Escape none", async ({ page }) => {
    await enter(page, "agent");
    await node(page, "triage").focus();
    await page.keyboard.press("ArrowDown");
    await expect(details(page).getByRole("heading", { name: "model" })).toBeVisible();
    await expect(node(page, "model")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(node(page, "model")).toHaveAttribute("aria-pressed", "false");
  });

  test("subgraphs open in place, one in another", async ({ page }) => {
    await enter(page, "nested");
    await expect(node(page, "plan")).toBeHidden();
    await node(page, "child").focus();
    await page.keyboard.press("Enter");
    await expect(node(page, "plan")).toBeVisible();
    await graph(page).getByRole("button", { name: "Open inner" }).click();
    await expect(node(page, "read")).toBeVisible();
    await graph(page).getByRole("button", { name: "Close child" }).click();
    await expect(node(page, "plan")).toBeHidden();
  });

  test("a node is found by its name with the keyboard", async ({ page }) => {
    await enter(page, "big");
    await page.keyboard.press("/");
    await page.keyboard.type("row 80 step 3");
    await page.keyboard.press("Enter");
    await expect(graph(page).locator("[data-node]:focus")).toHaveAttribute("aria-label", /row 80 step 3/);
  });
});

test.describe("run and read", () => {
  test("a message runs the graph, which lights up and is logged step by step", async ({ page }) => {
    await enter(page, "agent");
    await send(page, "refund");
    await isDone(page);
    await expect(node(page, "model")).toHaveAccessibleName(/done, 2 times/);
    await expect(node(page, "answer")).toHaveAccessibleName(/done/);
    await expect(steps(page)).toHaveCount(6);
    await expect(steps(page).filter({ hasText: "triage" })).toContainText('topic: "refund"');
    await expect(steps(page).filter({ hasText: "search_docs(" })).toContainText("ai");
    await expect(steps(page).last()).toContainText("It is settled");

    // A reload shows the same as the page showed live.
    const live = await steps(page).allInnerTexts();
    await page.reload();
    await expect(steps(page)).toHaveCount(live.length);
    expect(await steps(page).allInnerTexts()).toEqual(live);
  });

  test("an entry of the log selects its node, and its moment", async ({ page }) => {
    await enter(page, "agent");
    await send(page, "refund");
    await isDone(page);
    await steps(page)
      .getByRole("button", { name: /^triage/ })
      .click();
    await expect(node(page, "triage")).toHaveAttribute("aria-pressed", "true");
    await expect(graph(page).getByText("A past state is shown")).toBeVisible();
    await expect(node(page, "answer")).not.toHaveAccessibleName(/done/);
    await page.getByRole("button", { name: "Back to newest" }).click();
    await expect(node(page, "answer")).toHaveAccessibleName(/done/);
  });

  test("the log of a past moment shows what a tool said as a message", async ({ page }) => {
    await enter(page, "agent");
    await send(page, "refund");
    await isDone(page);
    await steps(page)
      .getByRole("button", { name: /^model/ })
      .last()
      .click();
    await expect(graph(page).getByText("A past state is shown")).toBeVisible();
    const tools = steps(page).filter({ has: page.getByRole("button", { name: /^tools/ }) });
    await expect(tools.getByRole("listitem")).toHaveText(/tool · search_docs.*Two documents tell of refund\./s);
    await expect(tools).not.toContainText("messages:");
  });

  test("the input of a form runs with the keyboard alone, and comes back as an earlier one", async ({ page }) => {
    await enter(page, "doomed", "?tab=input");
    const field = details(page).getByRole("textbox", { name: /text/i });
    await field.fill("from the form");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(status(page)).toHaveText("Failed");
    await expect(steps(page).first()).toContainText("from the form");
    await tab(page, "Input").press("Enter");
    await details(page).getByRole("button", { name: "Earlier input" }).press("Enter");
    await expect(field).toHaveValue("from the form");
  });

  test("parallel tasks of one node are one node with a count", async ({ page }) => {
    await enter(page, "wide");
    await run(page);
    await isDone(page);
    await expect(node(page, "work")).toHaveAccessibleName(/done, 20 times/);
    const step = steps(page).filter({ hasText: "× 20" });
    await expect(step).toContainText("20 of 20 done");
    await step.getByRole("button", { name: "Show all" }).click();
    await expect(step.getByRole("button", { name: /^work/ })).toHaveCount(21);
  });

  test("a failed step says why, and can be retried", async ({ page }) => {
    await enter(page, "doomed");
    await run(page);
    await expect(node(page, "fail")).toHaveAccessibleName(/failed/);
    await expect(page.getByRole("alert").filter({ hasText: "out of range" })).toContainText(/failing\.ts:\d+/);
    await details(page).getByRole("button", { name: "Retry from here" }).click();
    await expect(node(page, "fail")).toHaveAccessibleName(/failed/);
    await expect(details(page).getByRole("region", { name: "Failed" })).toBeVisible();
  });

  test("custom events are logged as text", async ({ page }) => {
    await enter(page, "events");
    await run(page);
    await isDone(page);
    await expect(steps(page).last()).toContainText("<b>markup</b> as text");
    await tab(page, "Raw").click();
    await expect(details(page).getByRole("button", { name: /custom/ })).toHaveCount(3);
  });
});

for (const [device, viewport] of [["desktop", DESKTOP] as const, ["phone", PHONE] as const]) {
  test.describe(device, () => {
    test.use({ viewport });

    test("axe finds nothing in the studio", async ({ page }) => {
      await enter(page, "agent");
      await expectAccessibleInBothSchemes(page);
      await send(page, "refund");
      await expect(steps(page)).not.toHaveCount(0);
      await expect(node(page, "answer")).toHaveAccessibleName(/done/);
      for (const name of ["State", "Input", "Node", "Raw", "Run"]) {
        await tab(page, name).click();
        await expect(details(page).getByRole("tabpanel")).not.toHaveText("");
        await expectAccessibleInBothSchemes(page);
      }
      await enter(page, "parallel");
      await run(page);
      await expect(details(page).getByRole("region", { name: "Open questions" })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
    });
  });
}
