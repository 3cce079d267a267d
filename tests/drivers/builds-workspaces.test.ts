/** Workspaces of each package manager: what is installed, which package.json applies to a file, and what is built. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compiledFolder, createCompile, createAnalyzeCode } from "../../lib/drivers/builds/compile.ts";
import { createPreflight } from "../../lib/drivers/builds/preflight.ts";
import type { FetchedSource } from "../../lib/engine/ports/builds.ts";
import { fetchedApp, type Files, newContext, removeFolders } from "../support/built-apps.ts";
import { COMPILER, fence, INSTALL_MS, newInstalled, newInstaller } from "../support/built-packages.ts";
import { killWorkers, startWorker } from "../support/worker-process.ts";
import { json, kinds, makeSource, NPM, withLooseRange, type WorkspaceKind } from "../support/workspaces.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

const compile = createCompile(COMPILER);
const preflight = createPreflight(createAnalyzeCode(COMPILER));
const { installed, failureOf } = newInstalled(newInstaller().install);
const scripted = newInstalled(newInstaller(undefined, {}, { fence }).install);

/** A settings file of another package selects legacy decorators, whose second argument is a name. */
const GRAPH = `
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import isOdd from "is-odd";
import { twice } from "@x/sources";
import { next } from "@x/shared";
const kinds: string[] = [];
const mark = (_: unknown, about: unknown): void => void kinds.push(typeof about);
export class Marked { @mark go(): void {} }
const State = Annotation.Root({ n: Annotation<number>, odd: Annotation<boolean>, about: Annotation<string> });
export const graph = new StateGraph(State)
  .addNode("count", ({ n }) => ({ n: next(twice(n)), odd: isOdd(n), about: kinds[0] }))
  .addEdge(START, "count")
  .addEdge("count", END)
  .compile();
`;
/** Copies a file instead of compiling it, so that no compiler has to be installed. */
const BUILD = `
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import isPlainObject from "is-plain-obj";
import { isRight } from "@x/tools";
if (!isPlainObject({}) || !isRight) throw new Error("a package for development is missing");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.js", readFileSync("src/index.js"));
`;
/**
 * The graph needs two packages of the workspace, one of which needs a third for its build, and nothing of the web app.
 */
const workspace = (local: string): Files => ({
  "apps/agent/package.json": json({
    name: "@x/agent",
    version: "1.0.0",
    type: "module",
    dependencies: { "@x/shared": local, "@x/sources": local, "is-odd": "3.0.0" },
    devDependencies: { "@x/config": local },
  }),
  "apps/agent/tsconfig.json": json({ extends: "@x/config/base.json" }),
  "apps/agent/src/graph.ts": GRAPH,
  "apps/web/package.json": json({ name: "@x/web", version: "1.0.0", dependencies: { "is-number": "7.0.0" } }),
  "packages/config/package.json": json({ name: "@x/config", version: "1.0.0", dependencies: { "is-regexp": "3.1.0" } }),
  "packages/config/base.json": json({ compilerOptions: { experimentalDecorators: true } }),
  "packages/sources/package.json": json({
    name: "@x/sources",
    version: "1.0.0",
    main: "src/index.ts",
    dependencies: { "@x/shared": local },
  }),
  "packages/sources/src/index.ts": "export const twice = (n: number): number => 2 * n;\n",
  "packages/shared/package.json": json({
    name: "@x/shared",
    version: "1.0.0",
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", import: "./dist/index.js" } },
    scripts: { build: "node build.mjs" },
    devDependencies: { "is-plain-obj": "4.1.0", "@x/tools": local },
  }),
  "packages/shared/build.mjs": BUILD,
  "packages/shared/src/index.js": "export const next = (n) => n + 1;\n",
  "packages/tools/package.json": json({
    name: "@x/tools",
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
    dependencies: { "is-stream": "2.0.1" },
  }),
  "packages/tools/index.js": 'import isStream from "is-stream";\nexport const isRight = !isStream({});\n',
});
const BUILT = { "packages/shared/dist/index.js": "export const next = (n) => n + 1;\n" };
const CONFIG = { "graphlib.json": json({ graphs: { agent: "./apps/agent/src/graph.ts:graph" } }) };

const PATH = "./apps/agent/src/graph.ts:graph";
const SERVED = { n: 41, odd: false, about: "string" };

const made = new Map<WorkspaceKind, Promise<Files>>();

/** Makes the whole source, with a lockfile that its own package manager has made. */
function sourceOf(kind: WorkspaceKind): Promise<Files> {
  const files = made.get(kind) ?? makeSource(kind, workspace(kind.local)).then(withLooseRange);
  made.set(kind, files);
  return files;
}

async function serves({ root, folder }: FetchedSource, path: string): Promise<unknown> {
  await compile({ root, folder }, { graphs: { agent: { path, description: undefined } } }, newContext());
  const worker = await startWorker({ app: folder, graphs: { agent: path }, compiled: compiledFolder(root) });
  expect(worker.ready.graphs).toEqual([{ graph: "agent" }]);
  const { events, error } = await worker.run({ graph: "agent", input: { n: 20 } });
  expect(error).toBeUndefined();
  await worker.kill();
  return events.at(-1)?.data;
}

/** Returns the names and versions of all packages that are installed in the source. */
function packagesIn(root: string): string[] {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "package.json")
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /\/node_modules\/is-[\w-]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(path, "utf8")) as { name: string; version: string });
  return [...new Set(found.map(({ name, version }) => `${name}@${version}`))].toSorted();
}

test("code is checked against the nearest package.json, wherever the configuration lies", async () => {
  const dependencies = { "@langchain/langgraph": "0.2.20", "is-odd": "3.0.1" };
  const fetched = fetchedApp(undefined, {
    ...CONFIG,
    "package.json": json({ private: true, workspaces: ["apps/*"], dependencies: { zod: "4.0.0" } }),
    "apps/agent/package.json": json({ name: "@x/agent", dependencies }),
    "apps/agent/src/graph.ts": 'import "is-odd";\nimport "zod";\nimport "gone";\nexport const graph = 1;\n',
    "apps/agent/.nvmrc": "22",
  });
  const report = await preflight(fetched, [], new AbortController().signal);
  // The root package lists zod, which the agent imports and does not list.
  expect(report).toMatchObject({ node: "22", packages: { manager: "npm", members: ["apps/agent", ""] } });
  const findings = report.findings.map(({ file, message }) => `${file}: ${message}`);
  expect(findings).toEqual([
    expect.stringMatching(/^apps\/agent\/package.json: @langchain\/langgraph 0.2.20 is too old/),
    expect.stringContaining("No lockfile found"),
    expect.stringMatching(/imports "gone", which apps\/agent\/package.json does not list/),
  ]);
});

test(
  "without scripts, a package that is not built is reported at its import, with its script and what to do",
  async () => {
    const fetched = fetchedApp(undefined, { ...(await sourceOf(NPM)), ...CONFIG });
    await installed(fetched);
    const failure: unknown = await serves(fetched, PATH).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: '@x/shared in packages/shared is not built: its script "build" makes what this import means.',
      details: {
        file: "apps/agent/src/graph.ts",
        line: 5,
        fix: 'Allow install scripts in the deployment\'s settings (install_scripts), or commit what "npm run build" makes in packages/shared.',
      },
    });
  },
  INSTALL_MS,
);

test(
  "a build that fails is reported with its package and its script",
  async () => {
    const broken = { "packages/shared/build.mjs": 'throw new Error("no such luck");\n' };
    const files = { ...(await sourceOf(NPM)), ...CONFIG, ...broken };
    expect(await scripted.failureOf(files, { scripts: true })).toMatchObject({
      message: 'The script "build" of @x/shared failed (exit code 1)',
      file: "packages/shared/package.json",
    });
  },
  INSTALL_MS,
);

describe.each(Object.entries(kinds))("a workspace of %s", (name, kind) => {
  test(
    "installs what the application needs by its lockfile and nothing else, wherever the configuration lies",
    async () => {
      const files = { ...(await sourceOf(kind)), ...BUILT };
      const above = fetchedApp(undefined, { ...files, ...CONFIG });
      const { lines } = await installed(above);
      expect(lines).toContainEqual(
        expect.stringMatching(/Only what apps\/agent, packages\/shared, packages\/sources needs is installed$/),
      );
      // npm also installs packages of members listed for development; yarn 2 and 3 install all development
      // dependencies.
      const more: Record<string, string[]> = { npm: ["is-regexp@3.1.0", "is-stream@2.0.1"] };
      more["yarn 2"] = more["yarn 3"] = ["is-plain-obj@4.1.0"];
      expect(packagesIn(above.root)).toEqual(["is-number@6.0.0", "is-odd@3.0.0", ...(more[name] ?? [])]);
      expect(await serves(above, PATH)).toEqual(SERVED);

      const config = { "apps/agent/graphlib.json": json({ graphs: { agent: "./src/graph.ts:graph" } }) };
      const inside = fetchedApp(undefined, { ...files, ...config }, "apps/agent");
      expect((await installed(inside)).reused).toBe(true);
      expect(await serves(inside, "./src/graph.ts:graph")).toEqual(SERVED);
    },
    INSTALL_MS,
  );

  test(
    "builds a package by its own script where scripts run, with the tools that this needs",
    async () => {
      const fetched = fetchedApp(undefined, { ...(await sourceOf(kind)), ...CONFIG });
      const { lines } = await scripted.installed(fetched, { scripts: true });
      expect(lines).toContain("us npm run build (packages/shared)");
      expect(readdirSync(join(fetched.root, "packages/shared/dist"))).toEqual(["index.js"]);
      expect(packagesIn(fetched.root)).not.toContain("is-number@7.0.0");
      expect(existsSync(join(fetched.root, "apps/web/node_modules"))).toBe(false);
    },
    INSTALL_MS,
  );

  test(
    "is not installed by a lockfile that does not match",
    async () => {
      const files = await sourceOf(kind);
      const path = "apps/agent/package.json";
      const changed = String(files[path]).replace('"dependencies": {', '"dependencies": {\n    "is-stream": "1.1.0",');
      const outdated = { ...files, ...BUILT, ...CONFIG, [path]: changed };
      const report = await preflight(fetchedApp(undefined, outdated), [], new AbortController().signal);
      const message = `${kind.lock} does not match ${path}: it has no is-stream@1.1.0.`;
      expect(report.findings).toContainEqual(expect.objectContaining({ level: "error", message }));
      // yarn 1 compares the lockfile with the root package alone.
      if (name === "yarn 1") return;
      expect(await failureOf(outdated)).toMatchObject({
        message: expect.stringMatching(new RegExp(`^${kind.lock} does not match package.json`)),
        file: kind.lock,
      });
    },
    INSTALL_MS,
  );
});
