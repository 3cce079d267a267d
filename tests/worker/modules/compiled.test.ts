import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compiledFolder, createCompile } from "../../../lib/drivers/builds/compile.ts";
import { CODE_CACHE, LIB, newContext, newFolder, removeFolders } from "../../support/built-apps.ts";
import { apps, killWorkers, type StartOptions, startWorker } from "../../support/worker-process.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

const compile = createCompile({ main: join(LIB, "worker/compile.ts"), cache: CODE_CACHE });
/** Makes every request for the compiler fail. */
const HIDE = `
  import { Module } from "node:module";
  const find = Module._resolveFilename;
  Module._resolveFilename = function (name, ...rest) {
    if (name === "esbuild") throw new Error("no compiler here");
    return find.call(this, name, ...rest);
  };`;
const NO_COMPILER: StartOptions["start"] = [
  process.execPath,
  "--enable-source-maps",
  `--import=data:text/javascript,${encodeURIComponent(HIDE)}`,
  join(LIB, "worker/main.ts"),
];

const graphs = { graph: "src/graph.ts:graph", failing: "src/graph.ts:failing" };
let root: string;

beforeAll(async () => {
  root = newFolder();
  cpSync(join(apps, "typescript"), root, { recursive: true });
  const paths = Object.entries(graphs).map(([graph, path]) => [graph, { path, description: undefined }]);
  const { files } = await compile({ root, folder: root }, { graphs: Object.fromEntries(paths) }, newContext());
  if (files !== 8) throw new Error(`${files} files were compiled`);
});

async function runs(app: string, graph: string, compiled?: string, start?: StartOptions["start"]) {
  const worker = await startWorker({ app, graphs, compiled, ...(start && { start }) });
  const { events, status } = await worker.run({ graph, input: { said: "", facts: {} } });
  const result = { status, data: events.at(-1)?.data, loaded: worker.ready.graphs, output: worker.output() };
  await worker.kill();
  return result;
}

describe("an application that was compiled ahead", () => {
  test("behaves like one that is compiled while it loads", async () => {
    const fresh = await runs(root, "graph");
    expect(fresh.status).toBe("success");
    expect((await runs(root, "graph", compiledFolder(root))).data).toEqual(fresh.data);
  });

  test("starts without a compiler, and stacks still name lines of the source", async () => {
    expect((await runs(root, "graph", undefined, NO_COMPILER)).loaded[0]?.error?.message).toBe("no compiler here");
    const ahead = await runs(root, "failing", compiledFolder(root), NO_COMPILER);
    expect(ahead.loaded).toEqual([{ graph: "graph" }, { graph: "failing" }]);
    const source = readFileSync(join(root, "src/graph.ts"), "utf8").split("\n");
    const line = source.findIndex((text) => text.includes("throw new Error(text)")) + 1;
    expect(ahead.output).toContain(`${root}/src/graph.ts:${line}:`);
  });

  test("may be moved with what was compiled", async () => {
    const moved = newFolder();
    cpSync(root, moved, { recursive: true });
    const result = await runs(moved, "graph", compiledFolder(moved), NO_COMPILER);
    expect(result).toMatchObject({ status: "success", data: { facts: { file: true } } });
  });

  test("is compiled again where a source has changed", async () => {
    const changed = newFolder();
    cpSync(root, changed, { recursive: true });
    writeFileSync(join(changed, "src/lib/mapped.ts"), 'export const name: string = "changed";\n');
    const result = await runs(changed, "graph", compiledFolder(changed));
    expect(result.data).toMatchObject({ facts: { mapped: "changed", color: "red" } });
  });

  test("is ignored if its folder is missing", async () => {
    expect(await runs(root, "graph", join(root, "gone"))).toMatchObject({ status: "success" });
  });
});
