/** Workspaces of each package manager: what is installed of them, what is judged by which package.json, what is built. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compiledFolder, createCompile, createLook } from "../../lib/drivers/builds/compile.ts";
import { createPreflight } from "../../lib/drivers/builds/preflight.ts";
import { createTools } from "../../lib/drivers/builds/tools.ts";
import type { Fetched } from "../../lib/engine/build-ports.ts";
import { findNpm } from "../../lib/env.ts";
import { fetchedApp, type Files, newContext, newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { COMPILER, fence, INSTALL_MS, newInstalled, newInstaller, TOOLS } from "../support/built-packages.ts";
import { killWorkers, startWorker } from "../support/worker-process.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

const compile = createCompile(COMPILER);
const { installed } = newInstalled(newInstaller().install);
const scripted = newInstalled(newInstaller(undefined, {}, { fence }).install);
const json = (value: object) => JSON.stringify(value, null, 2);

const GRAPH = `
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { twice } from "@x/sources";
import { next } from "@x/shared";
const State = Annotation.Root({ n: Annotation<number> });
export const graph = new StateGraph(State)
  .addNode("count", ({ n }) => ({ n: next(twice(n)) }))
  .addEdge(START, "count")
  .addEdge("count", END)
  .compile();
`;
/** Without a compiler to install: what the script does is not what is tested. */
const BUILD = `
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import isOdd from "is-odd";
if (!isOdd(3)) throw new Error("a package for development is missing");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.js", readFileSync("src/index.js"));
`;
/** The graph needs two packages of the workspace, and nothing of the web app. */
const workspace = (local: string): Files => ({
  "apps/agent/package.json": json({
    name: "@x/agent",
    private: true,
    type: "module",
    dependencies: {
      "@langchain/langgraph": "1.4.18",
      "@langchain/core": "1.2.13",
      "@x/shared": local,
      "@x/sources": local,
    },
  }),
  "apps/agent/src/graph.ts": GRAPH,
  "apps/web/package.json": json({ name: "@x/web", private: true, dependencies: { "is-number": "7.0.0" } }),
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
    devDependencies: { "is-odd": "3.0.1" },
  }),
  "packages/shared/build.mjs": BUILD,
  "packages/shared/src/index.js": "export const next = (n) => n + 1;\n",
});
const BUILT = { "packages/shared/dist/index.js": "export const next = (n) => n + 1;\n" };
const CONFIG = { "graphlib.json": json({ graphs: { agent: "./apps/agent/src/graph.ts:graph" } }) };

const PATH = "./apps/agent/src/graph.ts:graph";

interface Kind {
  packageManager?: string;
  /** Of other packages of the workspace. */
  local: string;
  files: Files;
  lock: string;
  /** Arguments that make the lockfile. */
  args: string[];
  main: string;
  package?: string;
}
const NPM: Kind = {
  local: "*",
  files: {},
  lock: "package-lock.json",
  args: ["install", "--package-lock-only"],
  main: "",
};
const kinds: Record<string, Kind> = {
  npm: NPM,
  pnpm: {
    packageManager: "pnpm@10.34.9",
    local: "workspace:*",
    files: { "pnpm-workspace.yaml": 'packages:\n  - "apps/*"\n  - "packages/*"\n' },
    lock: "pnpm-lock.yaml",
    args: ["install", "--lockfile-only"],
    main: "bin/pnpm.cjs",
    package: "pnpm",
  },
  "yarn 1": {
    packageManager: "yarn@1.22.22",
    local: "1.0.0",
    files: {},
    lock: "yarn.lock",
    args: ["install", "--ignore-scripts"],
    main: "bin/yarn.js",
    package: "yarn",
  },
  "yarn 4": {
    packageManager: "yarn@4.18.1",
    local: "workspace:*",
    files: { ".yarnrc.yml": "nodeLinker: node-modules\n" },
    lock: "yarn.lock",
    args: ["install", "--mode=update-lockfile"],
    main: "bin/yarn.js",
    package: "@yarnpkg/cli-dist",
  },
};

const { npm, environment } = findNpm();
const tools = createTools({ npm, environment, folder: TOOLS, network: {} });

/** The whole source with a lockfile that its own package manager has made. */
async function makeSource({ packageManager, local, files, lock, args, main, package: name }: Kind): Promise<Files> {
  const root = {
    name: "root",
    private: true,
    workspaces: ["apps/*", "packages/*"],
    ...(packageManager && { packageManager }),
  };
  const all = { "package.json": json(root), ...workspace(local), ...files };
  const folder = newFolder();
  const registry = (await tools.registry(newContext())).plain.registry ?? "https://registry.npmjs.org/";
  writeFiles(folder, { ...all, ".npmrc": `registry=${registry}\n` });
  const program =
    name === undefined ? npm : join(await tools.package(name, packageManager?.split("@")[1] ?? "", newContext()), main);
  const env = {
    ...process.env,
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    HOME: folder,
  };
  execFileSync(process.execPath, [program, ...args], { cwd: folder, env, stdio: "pipe" });
  return { ...all, [lock]: readFileSync(join(folder, lock), "utf8") };
}

const made = new Map<Kind, Promise<Files>>();

function sourceOf(kind: Kind): Promise<Files> {
  const files = made.get(kind) ?? makeSource(kind);
  made.set(kind, files);
  return files;
}

async function serves({ root, folder }: Fetched, path: string): Promise<unknown> {
  await compile({ root, folder }, { graphs: { agent: { path, description: undefined } } }, newContext());
  const worker = await startWorker({ app: folder, graphs: { agent: path }, compiled: compiledFolder(root) });
  expect(worker.ready.graphs).toEqual([{ graph: "agent" }]);
  const { events, error } = await worker.run({ graph: "agent", input: { n: 20 } });
  expect(error).toBeUndefined();
  await worker.kill();
  return events.at(-1)?.data;
}

test("code is judged by the package.json next to it, wherever the configuration lies", async () => {
  const dependencies = { "@langchain/langgraph": "0.2.20", "is-odd": "3.0.1" };
  const fetched = fetchedApp(undefined, {
    ...CONFIG,
    "package.json": json({ private: true, workspaces: ["apps/*"], dependencies: { zod: "4.0.0" } }),
    "apps/agent/package.json": json({ name: "@x/agent", dependencies }),
    "apps/agent/src/graph.ts": 'import "is-odd";\nimport "zod";\nimport "gone";\nexport const graph = 1;\n',
    "apps/agent/.nvmrc": "22",
  });
  const report = await createPreflight(createLook(COMPILER))(fetched, [], new AbortController().signal);
  expect(report).toMatchObject({ node: "22", packages: { manager: "npm", members: ["apps/agent"] } });
  const told = report.findings.map(({ file, message }) => `${file}: ${message}`);
  expect(told).toEqual([
    expect.stringMatching(/^apps\/agent\/package.json: @langchain\/langgraph 0.2.20 is too old/),
    expect.stringContaining("No lockfile found"),
    expect.stringMatching(/imports "gone", which apps\/agent\/package.json does not list/),
  ]);
});

test(
  "a package that is not built is told by its import, with its script and what to do, where no scripts run",
  async () => {
    const fetched = fetchedApp(undefined, { ...(await sourceOf(NPM)), ...CONFIG });
    await installed(fetched);
    const failure: unknown = await serves(fetched, PATH).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: '@x/shared in packages/shared is not built: its script "build" makes what this import means.',
      place: {
        file: "apps/agent/src/graph.ts",
        line: 4,
        fix: 'Let the deployment run install scripts (install_scripts), or commit what "npm run build" makes in packages/shared.',
      },
    });
  },
  INSTALL_MS,
);

test(
  "a build that fails is told by its package and its script",
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

describe.each(Object.entries(kinds))("a workspace of %s", (_, kind) => {
  test(
    "installs what the application needs and nothing else, with the configuration at the root and in a package",
    async () => {
      const files = { ...(await sourceOf(kind)), ...BUILT };
      const above = fetchedApp(undefined, { ...files, ...CONFIG });
      const { told } = await installed(above);
      const leavesOut = kind.package !== "pnpm";
      const only = expect.stringMatching(
        /Only what apps\/agent, packages\/shared, packages\/sources needs is installed/,
      );
      expect(told).toEqual(leavesOut ? expect.arrayContaining([only]) : expect.not.arrayContaining([only]));
      for (const name of leavesOut ? ["is-number", "is-odd"] : []) {
        const found = [".", "apps/web", "packages/shared"].filter((at) =>
          existsSync(join(above.root, at, "node_modules", name)),
        );
        expect(found).toEqual([]);
      }
      expect(await serves(above, PATH)).toEqual({ n: 41 });

      const config = { "apps/agent/graphlib.json": json({ graphs: { agent: "./src/graph.ts:graph" } }) };
      const inside = fetchedApp(undefined, { ...files, ...config }, "apps/agent");
      expect((await installed(inside)).reused).toBe(true);
      expect(await serves(inside, "./src/graph.ts:graph")).toEqual({ n: 41 });
    },
    INSTALL_MS,
  );

  test(
    "builds a package by its own script where scripts run",
    async () => {
      const fetched = fetchedApp(undefined, { ...(await sourceOf(kind)), ...CONFIG });
      const { told } = await scripted.installed(fetched, { scripts: true });
      expect(told).toContain("us npm run build (packages/shared)");
      expect(readdirSync(join(fetched.root, "packages/shared/dist"))).toEqual(["index.js"]);
      expect(await serves(fetched, PATH)).toEqual({ n: 41 });
    },
    INSTALL_MS,
  );
});
