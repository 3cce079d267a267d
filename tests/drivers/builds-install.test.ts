import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compiledFolder, createCompile } from "../../lib/drivers/builds/compile.ts";
import { fetchedApp, newContext, removeFolders } from "../support/built-apps.ts";
import { odd, ODD_FILES, YARN_1, YARN_4 } from "../support/odd-package.ts";
import { COMPILER, INSTALL_MS, newInstalled, newInstaller } from "../support/built-packages.ts";
import { expectOneCopy, factsOf, HELPER } from "../support/one-copy.ts";
import { killWorkers, startWorker } from "../support/worker-process.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

const compile = createCompile(COMPILER);
const { home, install } = newInstaller();
const { installed } = newInstalled(install);

/** Returns links to folders, by which `..` would lead to another folder. */
const folderLinksIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && statSync(join(entry.parentPath, entry.name)).isDirectory())
    .map(({ name }) => name);

const json = (value: object) => JSON.stringify(value, null, 2);

async function run(folder: string, graph: string, path: string, input: object, compiled?: string): Promise<unknown> {
  const worker = await startWorker({ app: folder, graphs: { [graph]: path }, compiled });
  expect(worker.ready.graphs).toEqual([{ graph }]);
  const { events, error } = await worker.run({ graph, input });
  expect(error).toBeUndefined();
  await worker.kill();
  return events.at(-1)?.data;
}

describe("npm", () => {
  test(
    "installs by the lockfile, once for all revisions; a worker finds one copy of LangGraph",
    async () => {
      const first = fetchedApp("single", { "helper.cjs": HELPER });
      const { reused, key, lines } = await installed(first);
      expect(reused).toBe(false);
      expect(lines[0]).toBe("us npm ci --omit=dev --ignore-scripts");
      expect(lines.join("\n")).not.toContain(home);
      expect(existsSync(join(first.folder, "node_modules/is-odd"))).toBe(false);

      const second = fetchedApp("single", { "helper.cjs": HELPER, "README.md": "Another commit.\n" });
      expect(await installed(second)).toMatchObject({ reused: true, key, lines: [] });
      const modules = join(second.folder, "node_modules");
      const inodes = [modules, join(home, "packages", key, "tree/node_modules")].map(
        (folder) => statSync(join(folder, "zod/package.json")).ino,
      );
      expect(new Set(inodes).size).toBe(1);
      expectOneCopy(await factsOf(second.folder, "./helper.cjs"), modules);

      await compile(
        second,
        { graphs: { agent: { path: "./src/agent.ts:graph", description: undefined } } },
        newContext(),
      );
      const messages = [{ role: "user", content: "hello" }];
      const values = await run(
        second.folder,
        "agent",
        "./src/agent.ts:graph",
        { messages },
        compiledFolder(second.root),
      );
      expect(JSON.stringify(values)).toContain("HELLO!");
    },
    INSTALL_MS,
  );

  test(
    "installs a workspace whose own packages are those of the revision",
    async () => {
      const fetched = fetchedApp("monorepo", {}, "apps/agents");
      const { key } = await installed(fetched);
      const shared = join(fetched.root, "node_modules/@acme/shared");
      expect(lstatSync(shared).isDirectory()).toBe(true);
      expect(realpathSync(join(shared, "src/next.ts"))).toBe(join(fetched.root, "packages/shared/src/next.ts"));
      expect(folderLinksIn(fetched.root)).toEqual([]);
      const changed = fetchedApp(
        "monorepo",
        { "packages/shared/src/next.ts": "export const next = (n: number) => n + 2;\n" },
        "apps/agents",
      );
      expect(await installed(changed)).toMatchObject({ key, reused: true });
      for (const [{ folder, root }, odd] of [
        [fetched, false],
        [changed, true],
      ] as const) {
        const graphs = { parity: { path: "./src/parity.ts:graph", description: undefined } };
        await compile({ folder, root }, { graphs }, newContext());
        const values = await run(folder, "parity", "./src/parity.ts:graph", { n: 1 }, compiledFolder(root));
        expect(values).toEqual({ n: 1, odd });
      }
    },
    INSTALL_MS,
  );

  test(
    "installs without a lockfile, says so, and does not reuse the result",
    async () => {
      const files = { ...ODD_FILES, "package.json": json({ dependencies: { "is-odd": "^3.0.0" } }) };
      const fetched = fetchedApp(undefined, files);
      const { reused, key, lines } = await installed(fetched);
      expect({ reused, first: lines[0] }).toEqual({ reused: false, first: expect.stringContaining("us No lockfile") });
      expect(await run(fetched.folder, "odd", "./odd.mjs:graph", { n: 3 })).toEqual({ n: 3, odd: true });
      expect((await installed(fetchedApp(undefined, files))).key).not.toBe(key);
    },
    INSTALL_MS,
  );
});

test(
  "pnpm installs without its links to folders, and a worker finds one copy of LangGraph",
  async () => {
    const fetched = fetchedApp("aliases", { "helper.cjs": HELPER });
    const { lines } = await installed(fetched);
    expect(lines).toContain("us pnpm install --frozen-lockfile --prod --ignore-scripts (10.34.9)");
    expect(readdirSync(join(fetched.folder, "node_modules"))).toEqual(expect.arrayContaining(["is-number", "is-odd"]));
    expect(folderLinksIn(fetched.folder)).toEqual([]);
    const { scripts, ...same } = await factsOf(fetched.folder, "./helper.cjs");
    expect(same).toEqual({ sameMessages: true, sameGraphs: true, isSaver: true });
    expect(
      new Set(scripts.map((url) => url.replace(/(\/@langchain\/[\w-]+)\/(?!.*\/@langchain\/).*/, "$1"))).size,
    ).toBe(3);
    expect(scripts.filter((url) => !url.includes(`${fetched.folder}/node_modules/`))).toEqual([]);
    expect(await run(fetched.folder, "agent", "./src/agent/graph.ts:graph", { n: 3 })).toEqual({ n: 3, said: "red" });
    expect((await installed(fetchedApp("aliases"))).reused).toBe(true);
  },
  INSTALL_MS,
);

test.each([
  ["1", "us yarn install --frozen-lockfile --production --ignore-scripts (1.22.22)", YARN_1, {}],
  [
    "4",
    "us yarn workspaces focus --all --production (4.18.1)",
    YARN_4,
    { ".yarnrc.yml": "nodeLinker: pnp\nyarnPath: ./evil.cjs\n", "evil.cjs": "process.exit(9);\n" },
  ],
])(
  "yarn %s installs by its lockfile, and runs no program of the project",
  async (_, command, lock, more) => {
    const files = { ...ODD_FILES, ...more, "package.json": odd(), "yarn.lock": lock };
    const fetched = fetchedApp(undefined, files);
    const { lines, reused } = await installed(fetched);
    expect({ reused, command: lines.includes(command) }).toEqual({ reused: false, command: true });
    expect(await run(fetched.folder, "odd", "./odd.mjs:graph", { n: 3 })).toEqual({ n: 3, odd: true });
    expect((await installed(fetchedApp(undefined, files))).reused).toBe(true);
  },
  INSTALL_MS,
);
