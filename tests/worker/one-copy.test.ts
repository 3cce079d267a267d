import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectOneCopy, factsOf, HELPER } from "../support/one-copy.ts";
import { killWorkers, startWorker } from "../support/worker-process.ts";

const ours = fileURLToPath(new URL("../../node_modules", import.meta.url));
const SHARED = ["core", "langgraph", "langgraph-checkpoint"];
const folders: string[] = [];

afterAll(() => {
  killWorkers();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns a new folder outside of this project. */
function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "graphlib-app-")));
  folders.push(folder);
  return folder;
}

/** Installs real copies of the packages that must not exist twice, and links to what they need. */
function install(): string {
  const modules = join(newFolder(), "node_modules");
  mkdirSync(join(modules, "@langchain"), { recursive: true });
  for (const name of SHARED) copyPackage(name, modules);
  for (const name of readdirSync(ours)) if (!/^[.]|^@langchain$/.test(name)) link(ours, modules, name);
  for (const name of ["langgraph-sdk", "protocol"]) link(ours, modules, `@langchain/${name}`);
  return modules;
}

function copyPackage(name: string, modules: string): void {
  const filter = (path: string) => !/\.(?:map|d\.ts|d\.cts)$/.test(path);
  cpSync(join(ours, "@langchain", name), join(modules, "@langchain", name), { recursive: true, filter });
}

function link(from: string, to: string, name: string): void {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  symlinkSync(join(from, name), join(to, name));
}

let installed: string;
beforeAll(() => {
  installed = install();
});

test("an application with its own packages has its own copy of LangGraph, for import and for require", async () => {
  const app = dirname(installed);
  writeFileSync(join(app, "helper.cjs"), HELPER);
  expectOneCopy(await factsOf(app, "./helper.cjs"), installed);
});

test("a package that brings a copy of its own gets the application's", async () => {
  const app = newFolder();
  const modules = join(app, "node_modules");
  for (const name of readdirSync(installed)) link(installed, modules, name);
  const helper = join(modules, "helper");
  mkdirSync(join(helper, "node_modules/@langchain"), { recursive: true });
  copyPackage("core", join(helper, "node_modules"));
  writeFileSync(join(helper, "package.json"), '{ "name": "helper", "main": "index.js" }');
  writeFileSync(join(helper, "index.js"), HELPER);
  expectOneCopy(await factsOf(app, "helper"), installed);
});

test("an application that lists LangGraph alone has LangGraph's companions", async () => {
  const app = newFolder();
  link(installed, join(app, "node_modules"), "@langchain/langgraph");
  writeFileSync(join(app, "helper.cjs"), HELPER);
  expectOneCopy(await factsOf(app, "./helper.cjs"), installed);
});

test("packages of the graph's own folder win over those of the application", async () => {
  const app = newFolder();
  link(ours, join(app, "node_modules"), "@langchain");
  const inner = join(app, "packages/agent");
  mkdirSync(inner, { recursive: true });
  symlinkSync(installed, join(inner, "node_modules"));
  writeFileSync(join(inner, "helper.cjs"), HELPER);
  expectOneCopy(await factsOf(app, "./helper.cjs", "packages/agent"), installed);
});

test("a LangGraph that does not load is reported for every graph", async () => {
  const app = newFolder();
  const broken = join(app, "node_modules/@langchain/langgraph");
  mkdirSync(broken, { recursive: true });
  writeFileSync(
    join(broken, "package.json"),
    '{ "name": "@langchain/langgraph", "type": "module", "main": "index.js" }',
  );
  writeFileSync(join(broken, "index.js"), 'import "gone";');
  writeFileSync(join(app, "graph.js"), "export const graph = 1;");
  const worker = await startWorker({ app, graphs: { a: "graph.js:graph", b: "graph.js:graph" } });
  const error = {
    error: "Error",
    message: "Cannot find package 'gone' imported from node_modules/@langchain/langgraph/index.js",
  };
  expect(worker.ready).toEqual({
    type: "ready",
    graphs: [
      { graph: "a", error },
      { graph: "b", error },
    ],
    langgraph: "",
  });
  expect(await worker.run({ graph: "a" })).toMatchObject({ status: "error", ends: 1 });
});

test("a bare folder with a graph and no packages runs on this project's copy", async () => {
  const app = newFolder();
  writeFileSync(join(app, "helper.cjs"), `${HELPER}exports.zod = require("zod");`);
  expectOneCopy(await factsOf(app, "./helper.cjs"), realpathSync(ours));
});
