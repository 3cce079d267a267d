import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const STORES = new Set(
  "assistants checkpoints crons deployments items letters lines log revisions runs tasks threads variables webhooks".split(
    " ",
  ),
);
/** Matches types, and names of values, that have stores as their members. */
const OWNER = /^(?:Deployment|ControlPlane|(?:\w+\.)*(?:deployment|control|served))$/;

/** Returns the stores of a deployment or of the control plane that a source uses, as members or by destructuring. */
function storesIn(source: string): string[] {
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && OWNER.test(node.expression.getText())) found.push(node.name.text);
    if (ts.isObjectBindingPattern(node)) {
      const { parent } = node;
      const value = ts.isBindingElement(parent) ? parent.propertyName : parent.initializer;
      const types = ts.isBindingElement(parent) ? [] : (parent.type?.getText().match(/\w+/g) ?? []);
      if ([value?.getText() ?? "", ...types].some((name) => OWNER.test(name)))
        found.push(...node.elements.map((one) => (one.propertyName ?? one.name).getText()));
    }
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true));
  return found.filter((name) => STORES.has(name));
}

test("handlers call verbs of the engine, never a store", () => {
  const files = globSync("lib/http/**/*.ts", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(30);
  const offenders = files.map((file) => [file, storesIn(readFileSync(join(ROOT, file), "utf8"))] as const);
  expect(offenders.filter(([, stores]) => stores.length > 0)).toEqual([]);
});

test("a store is seen however it is reached", () => {
  expect(storesIn("call.deployment.runs.get(id); control.lines; const { tasks: all } = deployment;")).toEqual([
    "runs",
    "lines",
    "tasks",
  ]);
  expect(
    storesIn("function f({ threads }: Pick<Deployment, 'threads'>) {} const { control: { crons } } = call;"),
  ).toEqual(["threads", "crons"]);
  expect(
    storesIn("deployment.worker.state(); threads.createThread(deployment); const { runs } = await list(deployment);"),
  ).toEqual([]);
});
