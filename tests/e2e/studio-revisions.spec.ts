/** A graph that changed between two revisions: what its old checkpoints name and it no longer has is shown as such. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { call, untilState } from "../support/control.ts";
import { DESKTOP, open, test, withServer } from "./fixtures.ts";
import { details, graph, isDone, node, run, scrubber, status, steps, tab } from "./studio-page.ts";
import { post } from "./rooms.ts";

test.use({ viewport: DESKTOP });

const folder = mkdtempSync(join(tmpdir(), "graphlib-changed-"));
const server = withServer(() => ({}));

/** Writes an application whose graph has these nodes, one after the other. */
function writeApp(nodes: readonly string[]): void {
  const added = nodes.map((name) => `.addNode("${name}", () => ({ log: ["${name}"] }))`);
  const edges = nodes.map((name, at) => `.addEdge(${at === 0 ? "START" : `"${nodes[at - 1]}"`}, "${name}")`);
  writeFileSync(join(folder, "graphlib.json"), JSON.stringify({ graphs: { chain: "./chain.mjs:chain" } }));
  writeFileSync(
    join(folder, "chain.mjs"),
    `import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
const State = Annotation.Root({ log: Annotation({ reducer: (a, b) => [...a, ...(b ?? [])], default: () => [] }) });
export const chain = new StateGraph(State)${added.join("")}${edges.join("")}.addEdge("${nodes.at(-1)}", END).compile();
`,
  );
}

let thread = "";
let paused = "";
test.beforeAll(async () => {
  writeApp(["gather", "shorten", "publish"]);
  await call(server(), "POST", "/deployments", { name: "changing", source: { type: "folder", path: folder } });
  await untilState(server(), "changing", ["live"]);
  const api = `${server().url}/agents/changing`;
  thread = (await post<{ thread_id: string }>(api, "/threads", {})).thread_id;
  const stream = { stream_mode: ["debug"], stream_resumable: true };
  await post(api, `/threads/${thread}/runs/wait`, { assistant_id: "chain", input: {}, ...stream });
  paused = (await post<{ thread_id: string }>(api, "/threads", {})).thread_id;
  const stop = { interrupt_before: ["shorten"] };
  await post(api, `/threads/${paused}/runs/wait`, { assistant_id: "chain", input: {}, ...stream, ...stop });
  writeApp(["gather", "check", "publish"]);
  await call(server(), "POST", "/deployments/changing/revisions", {});
  expect((await untilState(server(), "changing", ["live"])).number).toBe(2);
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const studio = (query = ""): string => `${server().url}/deployments/changing/studio/chain?thread=${thread}${query}`;

test("a node that is gone is told as such in the log, on the timeline, in the graph, and in its panel", async ({
  page,
}) => {
  await open(page, studio());
  await isDone(page);
  await expect(node(page, "check")).toBeVisible();
  await expect(node(page, "shorten")).toHaveCount(0);
  await expect(graph(page).getByText("Not in this graph: shorten")).toBeVisible();
  const step = steps(page).filter({ has: page.getByRole("button", { name: /^shorten/ }) });
  await expect(step).toContainText("not in this graph");
  await expect(steps(page).filter({ hasText: "publish" })).not.toContainText("not in this graph");
  await step.getByRole("button", { name: /^shorten/ }).click();
  await tab(page, "Node").click();
  await expect(details(page)).toContainText("An older revision had it.");

  await scrubber(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(scrubber(page)).toHaveAttribute("aria-valuetext", /next: a node that is not in this graph/);
  await expect(graph(page).getByText("Its next node is gone")).toBeVisible();
});

test("a thread that stopped before a node that is gone says so, and is not done", async ({ page }) => {
  await open(page, studio().replace(thread, paused));
  await expect(status(page)).toHaveText("Paused before a node that is gone");
  await expect(page.getByRole("button", { name: /^Continue/ })).toHaveCount(0);
});

test("a state before a node that is gone is edited as another node, and goes on in the new graph", async ({ page }) => {
  await open(page, studio("&tab=state"));
  await isDone(page);
  await scrubber(page).focus();
  await page.keyboard.press("Home");
  for (let n = 0; n < 3; n++) await page.keyboard.press("ArrowRight");
  await expect(details(page)).toContainText("shorten");
  await page.getByRole("button", { name: /^From here/ }).click();
  await page.getByRole("button", { name: "Edit the state and fork" }).click();
  await details(page).getByRole("textbox", { name: "State" }).fill('{"log": ["by hand"]}');
  const as = details(page).getByRole("combobox", { name: "As an update by" });
  await expect(as.getByRole("option", { name: "shorten" })).toHaveCount(0);
  await as.selectOption("check");
  await details(page).getByRole("button", { name: "Fork with this state" }).click();
  await expect(status(page)).toHaveText("Paused before publish");
  await page
    .getByRole("button", { name: /^Continue/ })
    .first()
    .click();
  await isDone(page);
});

test("the thread runs on in the new graph", async ({ page }) => {
  await open(page, studio());
  await isDone(page);
  await run(page);
  await expect(node(page, "check")).toHaveAccessibleName(/done/);
  await isDone(page);
  await expect(steps(page).filter({ has: page.getByRole("button", { name: /^check/ }) })).toHaveCount(1);
});
