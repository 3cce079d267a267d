import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { routeOf } from "../../lib/rules/http/address.ts";
import { operations } from "../../lib/protocol/operations.ts";
import { controlOperations } from "../../lib/protocol/operations/control.ts";

const root = resolve(import.meta.dirname, "../../app/(api)/agents/[deployment]");
const rows = Object.entries(operations);

/** Operations with the handler of another one: only the path adds the thread or the graph. */
const TWINS = new Map([
  ["createThreadRun", "createRun"],
  ["streamThreadRun", "streamRun"],
  ["waitThreadRun", "waitRun"],
  ["joinThreadRunStream", "joinRunStream"],
  ["findRun", "getRun"],
  ["createThreadCron", "createCron"],
  ["getAssistantSubgraph", "getAssistantSubgraphs"],
  ["getAgent", "getAssistantCard"],
]);

test.each(rows)("operation %s has a route file that binds the handler of the same name", (name, operation) => {
  const file = join(root, operation.path, "route.ts");
  expect(existsSync(file)).toBe(true);
  const handler = TWINS.get(name) ?? name;
  expect(readFileSync(file, "utf8")).toMatch(
    new RegExp(`export const ${operation.method} = bind\\(operations\\.${name}, ${handler}\\b[,)]`),
  );
});

test("fewer than ten operations share a handler, and each shared handler is named after an operation", () => {
  const names = new Set(rows.map(([name]) => name));
  for (const [twin, handler] of TWINS) expect([names.has(twin), names.has(handler)]).toEqual([true, true]);
  expect(TWINS.size).toBeLessThan(10);
});

test("every route file below a deployment binds an operation, except for the one that answers 404", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith("route.ts") && !file.includes("[...path]"),
  );
  const known = new Set(rows.map(([, operation]) => join(operation.path, "route.ts").slice(1)));
  expect(files.filter((file) => !known.has(file))).toEqual([]);
  expect(files.length).toBe(known.size);
});

const control = resolve(import.meta.dirname, "../../app/(api)/api");

test.each(Object.entries(controlOperations))(
  "control operation %s has a route file that binds the handler of the same name",
  (name, { method, path }) => {
    const text = readFileSync(join(control, path, "route.ts"), "utf8");
    expect(text).toMatch(new RegExp(`export const ${method} = bindControl\\(controlOperations\\.${name}, ${name}\\);`));
  },
);

test("every method of a route file below /api is a control operation", () => {
  const files = readdirSync(control, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("route.ts"));
  const exported = files.flatMap((file) => {
    const methods = readFileSync(join(control, file), "utf8").matchAll(
      /^export (?:const|function|async function) (\w+)/gm,
    );
    return Array.from(methods, ([, method]) => `${method} /${file.replace(/\/?route\.ts$/, "")}`);
  });
  const known = Object.values(controlOperations).map(({ method, path }) => `${method} ${path}`);
  expect(exported.toSorted()).toEqual(known.toSorted());
});

test("no page of the console has the path of an API route", () => {
  const pages = globSync("../../../(console)/**/page.tsx", { cwd: root });
  const heads = pages.map((page) => page.split("(console)/")[1]?.split("/")[0]);
  const taken = new Set(["agents", "api", ...rows.map(([, operation]) => operation.path.split("/")[1])]);
  expect(heads.filter((head) => head !== undefined && taken.has(head))).toEqual([]);
  expect(pages.length).toBeGreaterThan(2);
});

test("an application's own routes do not change any path of the console", () => {
  const pages = globSync("../../../(console)/**/page.tsx", { cwd: root });
  for (const page of pages) {
    const path = `/${page.split("(console)/")[1] ?? ""}`.replaceAll(/\([a-z]+\)\/|\/?page\.tsx$/g, "");
    const url = path === "" ? "/" : path;
    expect(routeOf("localhost", url, () => ({ ownRoutes: true }))).toBe(url);
  }
});
