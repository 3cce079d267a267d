import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Files, newFolder, removeFolders, writeFiles } from "../../support/built-apps.ts";
import { apps, killWorkers, startWorker, type WorkerProcess } from "../../support/worker-process.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

/** Returns the last event of a run. */
async function last(worker: WorkerProcess, graph: string, configurable = {}) {
  const { events, status, error } = await worker.run({
    graph,
    input: { said: "", facts: {} },
    config: { configurable },
  });
  return { data: events.at(-1)?.data, status, error };
}

describe("every kind of export", () => {
  const kinds = {
    compiled: "./graphs.js:compiled",
    uncompiled: "./graphs.js:uncompiled",
    promised: "./graphs.js:promised",
    promisedBuilder: "graphs.js:promisedBuilder",
    wrapped: "graphs.js:wrapped",
    asyncFactory: "graphs.js:asyncFactory",
    default: "graphs.js:default",
    unnamed: "graphs.js:",
    mjs: "module.mjs:graph",
    cjs: "common.cjs:graph",
    mts: "typed.mts:graph",
    tsx: "view.tsx:graph",
  };
  const factories = {
    factory: "graphs.js:factory",
    failing: "graphs.js:failingFactory",
    empty: "graphs.js:emptyFactory",
  };
  let worker: WorkerProcess;
  beforeAll(async () => {
    worker = await startWorker({ app: "kinds", graphs: { ...kinds, ...factories } });
  });

  test("loads, and is reported with the version of LangGraph", () => {
    const graphs = Object.keys({ ...kinds, ...factories }).map((graph) => ({ graph }));
    expect(worker.ready).toEqual({ type: "ready", graphs, langgraph: "1.4.18" });
  });

  test.each(Object.keys(kinds))("%s runs", async (graph) => {
    expect(await last(worker, graph)).toEqual({ data: { said: "hello" }, status: "success" });
  });

  test("a factory is called for every use, with the run's config", async () => {
    expect(await last(worker, "factory", { who: "Ann" })).toMatchObject({ data: { said: "call 1 for Ann" } });
    expect(await last(worker, "factory", { who: "Ben" })).toMatchObject({ data: { said: "call 2 for Ben" } });
  });

  test("a factory that throws, or returns no graph, fails the run", async () => {
    expect(await last(worker, "failing")).toMatchObject({
      status: "error",
      error: { error: "RangeError", message: "not today" },
    });
    expect((await last(worker, "empty")).error).toEqual({
      error: "GraphLoadError",
      message: "The function returned no graph but undefined",
    });
  });

  test("a graph that is not configured fails the run", async () => {
    expect((await last(worker, "nobody")).error).toEqual({
      error: "GraphLoadError",
      message: "There is no graph nobody",
    });
  });
});

describe("an application with faults", () => {
  const faults: Record<string, [path: string, error: string, message: string]> = {
    typescript: ["syntax.ts:graph", "SyntaxError", 'syntax.ts:2:8: Expected identifier but found ","\n  a: 1,,'],
    javascript: ["./syntax.js:graph", "SyntaxError", 'syntax.js:2:8: Expected identifier but found ","\n  a: 1,,'],
    throws: ["throws.ts:graph", "RangeError", "at load"],
    text: ["throws-text.js:graph", "Error", "just text"],
    package: ["import.ts:graph", "Error", "Cannot find package 'not-installed' imported from import.ts"],
    relative: ["relative.ts:graph", "Error", "Cannot find module 'not-there' imported from relative.ts"],
    name: [
      "name.ts:graph",
      "SyntaxError",
      "name.ts:1: The requested module '@langchain/langgraph' does not provide an export named 'nothing' (@langchain/langgraph@1.4.18)",
    ],
    reads: ["reads.ts:graph", "Error", "ENOENT: no such file or directory, open 'data.txt'"],
    outside: ["outside.ts:graph", "Error", "ENOENT: no such file or directory, open 'fstab.not'"],
    gone: ["gone.ts:graph", "GraphLoadError", "There is no file gone.ts"],
    export: [
      "values.ts:graph",
      "GraphLoadError",
      'values.ts has no export "graph"; it exports list, nothing, number, object, other, rejected',
    ],
    nothing: ["values.ts:nothing", "GraphLoadError", "The export is no graph but null"],
    number: ["values.ts:number", "GraphLoadError", "The export is no graph but a number"],
    list: ["values.ts:list", "GraphLoadError", "The export is no graph but an array"],
    object: [
      "values.ts:object",
      "GraphLoadError",
      "The export is no graph but an object without .stream() and .compile()",
    ],
    other: ["values.ts:other", "GraphLoadError", "The export is no graph but an instance of Date"],
    rejected: ["values.ts:rejected", "TypeError", "never made"],
  };
  let worker: WorkerProcess;
  beforeAll(async () => {
    const paths = Object.entries(faults).map(([graph, [path]]) => [graph, path]);
    worker = await startWorker({ app: "broken", graphs: { ...Object.fromEntries(paths), fine: "fine.js:graph" } });
  });

  test.each(Object.entries(faults))("%s is reported for its graph alone", (graph, [, error, message]) => {
    expect(worker.ready.graphs.find((loaded) => loaded.graph === graph)).toMatchObject({
      graph,
      error: { error, message },
    });
  });

  test("an error is reported with its location in the application's own files", () => {
    const places = worker.ready.graphs.flatMap(({ graph, file, line }) => (file ? [[graph, `${file}:${line}`]] : []));
    expect(Object.fromEntries(places)).toEqual({
      name: "name.ts:1",
      outside: "outside.ts:1",
      reads: "reads.ts:1",
      rejected: "values.ts:1",
      throws: "throws.ts:1",
      typescript: "syntax.ts:2",
    });
  });

  test("the graph without a fault runs", async () => {
    expect(worker.ready.graphs.find(({ graph }) => graph === "fine")).toEqual({ graph: "fine" });
    expect((await worker.run({ graph: "fine", input: { n: 0 } })).status).toBe("success");
  });

  test("the whole stack is in the server log", async () => {
    await expect.poll(() => worker.output()).toContain("Graph throws (throws.ts) does not load: RangeError: at load\n");
    await expect.poll(() => worker.output()).toContain(`(${join(apps, "broken/throws.ts")}:1:7)`);
  });
});

test("process.exit while loading just ends the process", async () => {
  await expect(startWorker({ app: "broken", graphs: { exits: "exits.js:graph" } })).rejects.toThrow("worker ended (3)");
});

describe("TypeScript", () => {
  let worker: WorkerProcess;
  beforeAll(async () => {
    worker = await startWorker({
      app: "typescript",
      graphs: { graph: "src/graph.ts:graph", failing: "src/graph.ts:failing" },
    });
  });

  test("has enums, decorators, paths, JSON, every way to name a file, and unused imports vanish", async () => {
    expect(await last(worker, "graph")).toMatchObject({
      status: "success",
      data: {
        facts: {
          color: "red",
          size: 3,
          inside: "inside",
          decorated: "hi!",
          json: 42,
          mapped: "mapped",
          fromSettings: 42,
          extensionless: "extensionless",
          withJs: "with-js",
          folder: "folder",
          module: "module",
          legacy: "extensionless",
          file: true,
          required: 42,
        },
      },
    });
  });

  test("stacks name the line of the source", async () => {
    await last(worker, "failing");
    const source = readFileSync(join(apps, "typescript/src/graph.ts"), "utf8").split("\n");
    const line = source.findIndex((text) => text.includes("throw new Error(text)")) + 1;
    await expect.poll(() => worker.output()).toContain(`typescript/src/graph.ts:${line}:`);
  });
});

describe("an import that fails between installed packages names both, with their versions:", () => {
  const EXPORTS = { ".": "./index.js", "./lost": "./lost.js", "./part": "./part.cjs" };
  const installed: Files = {
    "node_modules/b/package.json": JSON.stringify({ name: "b", version: "4.5.6", type: "module", exports: EXPORTS }),
    "node_modules/b/index.js": "export const x = 1;\n",
    "node_modules/b/part.cjs": "module.exports = {};\n",
    "node_modules/@acme/a/package.json": JSON.stringify({ name: "@acme/a", version: "1.2.3-rc.1", type: "module" }),
    "node_modules/@acme/a/one.js": "export const one = 1;\n",
  };
  const cases: [file: string, source: string, message: string][] = [
    ["name.js", 'import { y } from "b"; y();', '"y" from b@4.5.6, which does not export it'],
    ["common.js", 'import { z } from "b/part"; z();', '"z" from b@4.5.6 ("b/part"), which does not export it'],
    ["path.js", 'import "b/inner";', '"inner" of b@4.5.6, which does not export it'],
    ["required.cjs", 'require("b/inner");', '"inner" of b@4.5.6, which does not export it'],
    ["file.js", 'import "b/lost";', "lost.js of b@4.5.6, which has no such file"],
    [
      "own.js",
      'import { two } from "./one.js"; two();',
      '"two" from @acme/a@1.2.3-rc.1 ("./one.js"), which does not export it',
    ],
    [
      "langgraph.js",
      'import { Nothing } from "@langchain/langgraph"; Nothing();',
      '"Nothing" from @langchain/langgraph@1.4.18, which does not export it',
    ],
  ];

  test("in one sentence each, without a path of the server", async () => {
    const folder = newFolder();
    writeFiles(folder, installed);
    const names = cases.map(([file]) => file.replace(/\..*/, ""));
    for (const [at, [file, source]] of cases.entries()) {
      writeFiles(folder, {
        [`node_modules/@acme/a/${file}`]: `${source}\n`,
        [`${names[at]}.mjs`]: `import "@acme/a/${file}";\nexport const graph = 1;\n`,
      });
    }
    const graphs = Object.fromEntries(names.map((name) => [name, `./${name}.mjs:graph`]));
    const { ready } = await startWorker({ app: folder, graphs });
    const messages = Object.fromEntries(ready.graphs.map(({ graph, error }) => [graph, error?.message]));
    expect(messages).toEqual(
      Object.fromEntries(cases.map(([, , message], at) => [names[at], `@acme/a@1.2.3-rc.1 imports ${message}`])),
    );
    expect(JSON.stringify(ready)).not.toContain(folder);
  });
});
