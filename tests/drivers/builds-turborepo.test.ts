/** A repository as `create-turbo` makes it, with agents in a separate app and a package that `tsc` builds. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compiledFolder, createCompile } from "../../lib/drivers/builds/compile.ts";
import type { FetchedSource } from "../../lib/engine/ports/builds.ts";
import { fetchedApp, type Files, newContext, removeFolders } from "../support/built-apps.ts";
import { COMPILER, fence, INSTALL_MS, newInstalled, newInstaller } from "../support/built-packages.ts";
import { killWorkers, startWorker } from "../support/worker-process.ts";
import { json, kinds, makeSource } from "../support/workspaces.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

const compile = createCompile(COMPILER);
const { installed } = newInstalled(newInstaller(undefined, {}, { fence }).install);

const CATALOG = `catalog:
  "@langchain/core": 1.2.13
  "@langchain/langgraph": 1.4.18
  typescript: 6.0.3
  zod: 4.6.7
`;
const GRAPH = `
import { END, START, StateGraph } from "@langchain/langgraph";
import { greet } from "@repo/tools/greeting";
import * as z from "zod";
const State = z.object({ name: z.string(), said: z.string().optional() });
export const graph = new StateGraph(State)
  .addNode("greet", ({ name }) => ({ said: greet(name) }))
  .addEdge(START, "greet")
  .addEdge("greet", END)
  .compile();
`;
const WORKSPACE = "workspace:*";
const members: Files = {
  "turbo.json": json({ tasks: { build: { dependsOn: ["^build"], outputs: ["dist/**"] } } }),
  "apps/agents/package.json": json({
    name: "agents",
    private: true,
    type: "module",
    scripts: { build: "tsc --noEmit" },
    dependencies: {
      "@langchain/core": "catalog:",
      "@langchain/langgraph": "catalog:",
      "@repo/tools": WORKSPACE,
      zod: "catalog:",
    },
    devDependencies: { "@repo/typescript-config": WORKSPACE, typescript: "catalog:" },
  }),
  "apps/agents/tsconfig.json": json({ extends: "@repo/typescript-config/base.json", include: ["src"] }),
  "apps/agents/src/greeter.ts": GRAPH,
  "apps/web/package.json": json({
    name: "web",
    private: true,
    dependencies: { "is-number": "7.0.0" },
  }),
  "packages/typescript-config/package.json": json({ name: "@repo/typescript-config", version: "0.0.0", private: true }),
  "packages/typescript-config/base.json": json({
    compilerOptions: { module: "NodeNext", target: "ES2022", strict: true, declaration: true, skipLibCheck: true },
  }),
  "packages/tools/package.json": json({
    name: "@repo/tools",
    version: "0.0.0",
    private: true,
    type: "module",
    exports: { "./*": { types: "./src/*.ts", default: "./dist/*.js" } },
    scripts: { build: "tsc" },
    devDependencies: { "@repo/typescript-config": WORKSPACE, typescript: "catalog:" },
  }),
  "packages/tools/tsconfig.json": json({
    extends: "@repo/typescript-config/base.json",
    compilerOptions: { outDir: "dist", rootDir: "src" },
    include: ["src"],
  }),
  "packages/tools/src/greeting.ts": "export const greet = (name: string): string => `Good morning, ${name}`;\n",
};

async function outputOf({ root, folder }: FetchedSource, path: string): Promise<unknown> {
  await compile({ root, folder }, { graphs: { greeter: { path, description: undefined } } }, newContext());
  const worker = await startWorker({ app: folder, graphs: { greeter: path }, compiled: compiledFolder(root) });
  expect(worker.ready.graphs).toEqual([{ graph: "greeter" }]);
  const { events } = await worker.run({ graph: "greeter", input: { name: "Ada" } });
  await worker.kill();
  return events.at(-1)?.data;
}

test(
  "a Turborepo with a catalog, whose package tsc builds, is served with the configuration in the app or at the root",
  async () => {
    const kind = kinds["pnpm 10"];
    if (!kind) throw new Error("no such kind");
    const workspace = `${String(kind.files?.["pnpm-workspace.yaml"])}${CATALOG}`;
    const files = await makeSource({ ...kind, files: { "pnpm-workspace.yaml": workspace } }, members);
    const config = { "apps/agents/langgraph.json": json({ graphs: { greeter: "./src/greeter.ts:graph" } }) };
    const inside = fetchedApp(undefined, { ...files, ...config }, "apps/agents");
    const { lines } = await installed(inside, { scripts: true });
    expect(lines).toContain(
      "us Only what the workspace itself, apps/agents, packages/tools, packages/typescript-config needs is installed, with what builds it",
    );
    expect(lines).toContain("us npm run build (packages/tools)");
    expect(readdirSync(join(inside.root, "packages/tools/dist")).toSorted()).toEqual(["greeting.d.ts", "greeting.js"]);
    expect(existsSync(join(inside.root, "node_modules/is-number"))).toBe(false);
    const output = { name: "Ada", said: "Good morning, Ada" };
    expect(await outputOf(inside, "./src/greeter.ts:graph")).toEqual(output);

    const above = { "graphlib.json": json({ graphs: { greeter: "./apps/agents/src/greeter.ts:graph" } }) };
    const atRoot = fetchedApp(undefined, { ...files, ...above });
    expect((await installed(atRoot, { scripts: true })).reused).toBe(true);
    expect(await outputOf(atRoot, "./apps/agents/src/greeter.ts:graph")).toEqual(output);
  },
  INSTALL_MS,
);
