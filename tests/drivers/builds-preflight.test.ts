import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createAnalyzeCode } from "../../lib/drivers/builds/compile.ts";
import { createPreflight } from "../../lib/drivers/builds/preflight.ts";
import { readFolderApp } from "../../lib/drivers/sources/folder.ts";
import { CODE_CACHE, fetchedApp, type Files, LIB, newFolder, removeFolders } from "../support/built-apps.ts";

afterAll(removeFolders);

const preflight = createPreflight(createAnalyzeCode({ main: join(LIB, "worker/compile.ts"), cache: CODE_CACHE }));
const never = new AbortController().signal;
const look = (app: string | undefined, files: Files = {}, folder = "", given: string[] = []) =>
  preflight(fetchedApp(app, files, folder), given, never);

const graphs = (path: string) => JSON.stringify({ graphs: { agent: path } });
const PACKAGE = JSON.stringify({ dependencies: { "@langchain/langgraph": "1.4.18" } });

describe("a sample application can be deployed:", () => {
  test("a single graph", async () => {
    const report = await look("single", {}, "", ["OPENAI_API_KEY"]);
    expect(report).toMatchObject({
      ok: true,
      config_file: "graphlib.json",
      graphs: [{ graph: "agent", file: "./src/agent.ts", export: "graph", description: "Says back what it is told." }],
      packages: { manager: "npm", lockfile: "package-lock.json" },
      node: "24",
      variables: [
        { name: "OPENAI_API_KEY", from: ".env.example", present: true },
        { name: "GREETING", from: ".env.example", present: false },
      ],
    });
    expect(report.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(["graphlib.json:8", ".env.example:3"]);
  });

  test("several graphs in a folder of a workspace", async () => {
    const report = await look("monorepo", {}, "apps/agents");
    expect(report).toMatchObject({ ok: true, packages: { manager: "npm", lockfile: "package-lock.json" } });
    expect(report.graphs.map(({ graph }) => graph)).toEqual(["counter", "parity"]);
    expect(report.findings.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("TypeScript with path aliases, and custom routes", async () => {
    const report = await look("aliases");
    expect(report).toMatchObject({
      ok: true,
      packages: { manager: "pnpm", version: "10.34.9", lockfile: "pnpm-lock.yaml" },
      findings: [],
    });
  });

  test("langgraph.json alone", async () => {
    const report = await look("langgraph-only");
    expect(report).toMatchObject({ ok: true, config_file: "langgraph.json", packages: null });
    expect(report.findings.map(({ level }) => level)).toEqual(["note"]);
  });
});

describe("code", () => {
  test("without the export is reported with its exports, also those from other files", async () => {
    const files = {
      "graphlib.json": graphs("./src/agent.ts:graph"),
      "package.json": PACKAGE,
      "src/agent.ts": 'export { model as app } from "./model";\nexport const model = 1;\nexport type Kept = string;\n',
      "src/model.ts": "export const model = 2;\n",
    };
    const { ok, findings } = await look(undefined, files);
    expect(ok).toBe(false);
    expect(findings[0]).toEqual({
      level: "error",
      file: "graphlib.json",
      line: 1,
      column: 12,
      message:
        'graphs.agent points to ./src/agent.ts:graph, but src/agent.ts has no export "graph". It exports: app, model.',
      fix: 'Write "./src/agent.ts:app".',
    });
  });

  test.each([
    ["is CommonJS", "agent.cjs", "module.exports = require('./made')();\n"],
    ["exports all of a package", "agent.ts", 'export * from "@langchain/langgraph";\n'],
    ["exports all of CommonJS", "agent.mjs", 'export * from "./made.cjs";\n'],
  ])("that %s may export anything", async (_, file, source) => {
    const made = { "made.js": "module.exports = () => ({});\n", "made.cjs": "exports.graph = 1;\n" };
    const files = { "graphlib.json": graphs(`./${file}:graph`), "package.json": PACKAGE, [file]: source, ...made };
    const { findings } = await look(undefined, files);
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("with errors is reported by file, line and column, and the other graphs are still checked", async () => {
    const files = {
      "graphlib.json": JSON.stringify({ graphs: { a: "./a.ts:graph", b: "./b.ts:graph" } }),
      "package.json": PACKAGE,
      "a.ts": 'import "./lib/broken";\nimport { x } from "./gone";\nexport const graph = x;\n',
      "lib/broken.ts": "const a = {\n  b: 1,,\n};\n",
      "b.ts": 'import("./later.ts").catch(() => 1);\nexport const other = 1;\n',
    };
    const { findings } = await look(undefined, files);
    const seen = findings.map(
      ({ level, file, line, column, message }) => `${level} ${file}:${line}:${column} ${message}`,
    );
    expect(seen).toEqual(
      expect.arrayContaining([
        expect.stringContaining(
          'error graphlib.json:1:31 graphs.b points to ./b.ts:graph, but b.ts has no export "graph"',
        ),
        'error lib/broken.ts:2:8 Expected identifier but found ",".',
        'error a.ts:2:19 There is no file "./gone" to import.',
        'warning b.ts:1:8 There is no file "./later.ts" to import.',
      ]),
    );
  });

  test("that is missing is reported with a similar file", async () => {
    const files = { "graphlib.json": graphs("./src/agnet.ts:graph"), "src/agent.ts": "export const graph = 1;" };
    expect((await look(undefined, files)).findings[0]).toMatchObject({
      message: "graphs.agent points to ./src/agnet.ts:graph, but there is no file src/agnet.ts.",
      fix: 'Write "./src/agent.ts:graph".',
    });
  });

  test("that imports a package which is not listed, or for development only, is reported by its line", async () => {
    const files = {
      "src/agent.ts":
        'import { graph } from "./graph";\nimport odd from "is-odd";\nimport "langchan/x";\nexport { graph, odd };\n',
      "src/graph.ts": "export const graph = 1;\n",
    };
    const { findings } = await look("single", files);
    expect(findings.filter(({ level }) => level === "error")).toMatchObject([
      { file: "src/agent.ts", line: 2, column: 17, fix: 'Move "is-odd" to dependencies.' },
      { file: "src/agent.ts", line: 3, column: 8, message: expect.stringContaining('imports "langchan"') },
    ]);
  });
});

describe("nothing outside of the source is read", () => {
  const secret = () => {
    const folder = newFolder();
    return fetchedApp(undefined, { "secret.ts": "export const s3cret = ;\n" }, "", folder).root;
  };

  test("by the configuration's paths, by imports, by aliases, or by links", async () => {
    const outside = secret();
    const files = {
      "graphlib.json": JSON.stringify({
        graphs: { a: `${outside}/secret.ts:graph`, b: "./b.ts:graph", c: "./c.ts:graph", d: "./link.ts:graph" },
      }),
      "package.json": PACKAGE,
      "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "~/*": [`${outside}/*`] } } }),
      "b.ts": `import "${outside}/secret";\nexport const graph = 1;\n`,
      "c.ts": 'import "~/secret";\nexport const graph = 1;\n',
    };
    const fetched = fetchedApp(undefined, files);
    symlinkSync(join(outside, "secret.ts"), join(fetched.root, "link.ts"));
    const { findings } = await preflight(fetched, [], never);
    expect(JSON.stringify(findings)).not.toContain("s3cret");
    expect(findings.filter(({ message }) => message.includes("outside of the source"))).toHaveLength(4);
  });

  test("not even the configuration, if that is a link", async () => {
    const { root } = fetchedApp(undefined, { "graphlib.json": '{ "s3cret": ' });
    const fetched = fetchedApp(undefined, { "package.json": PACKAGE });
    symlinkSync(join(root, "graphlib.json"), join(fetched.root, "graphlib.json"));
    const report = await preflight(fetched, [], never);
    expect(report).toMatchObject({ ok: false, config_file: null });
    expect(JSON.stringify(report)).not.toContain("s3cret");
  });
});

test("without a configuration, folders that have one are named", async () => {
  const { findings } = await look("monorepo");
  expect(findings[0]).toMatchObject({ level: "error", fix: 'Choose the folder "apps/agents", which has one.' });
});

test("a folder in place of a file, and an empty folder, are reported and not thrown", async () => {
  const fetched = fetchedApp(undefined);
  mkdirSync(join(fetched.root, "graphlib.json"));
  mkdirSync(join(fetched.root, "package.json"));
  expect(await preflight(fetched, [], never)).toMatchObject({ ok: false, config_file: null, graphs: [] });
});

test("an aborted preflight rejects with the reason", async () => {
  const abort = new AbortController();
  const looking = preflight(fetchedApp("single"), [], abort.signal);
  abort.abort("enough");
  await expect(looking).rejects.toBe("enough");
});

describe("arbitrary bytes", () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: "binary" }), fc.json());
  const source = fc.oneof(
    bytes,
    fc
      .array(
        fc.constantFrom(
          "import",
          "export",
          "*",
          "{",
          "}",
          "from",
          '"./a"',
          "'zod'",
          "=",
          "x",
          ";",
          "`",
          "(",
          "/*",
          "\n",
          "<",
          "@",
        ),
      )
      .map((words) => words.join(" ")),
  );

  function check({ ok, findings }: Awaited<ReturnType<typeof preflight>>) {
    expect(ok).toBe(findings.every(({ level }) => level !== "error"));
    for (const { level, file, fix } of findings) {
      if (level !== "error") continue;
      expect(file).toBeTypeOf("string");
      expect(fix).toMatch(/\.$/);
    }
  }

  test("in the files that are read as data lead to a report", async () => {
    const names = [
      "graphlib.json",
      "langgraph.json",
      "package.json",
      "package-lock.json",
      ".env.example",
      ".nvmrc",
      "pnpm-workspace.yaml",
    ];
    const files = fc.subarray(names).chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, bytes]))));
    await fc.assert(
      fc.asyncProperty(files, async (written: Files) => {
        check(await look(undefined, written));
      }),
      { numRuns: 200 },
    );
  });

  test("in the code lead to a report", async () => {
    await fc.assert(
      fc.asyncProperty(source, source, bytes, async (agent, other, tsconfig) => {
        const files = { "graphlib.json": graphs("./agent.ts:graph"), "package.json": PACKAGE };
        check(await look(undefined, { ...files, "agent.ts": agent, "a.ts": other, "tsconfig.json": tsconfig }));
      }),
      { numRuns: 15 },
    );
  });
});

describe("a file that the server's own process reads", () => {
  const large = (text: string) => text + " ".repeat(1024 * 1024);

  test.each([
    ["package.json", PACKAGE],
    ["pnpm-workspace.yaml", "packages: []"],
    ["graphlib.json", graphs("./agent.ts:graph")],
    [".env.example", "A=\n"],
    [".env", "A=1\n"],
    [".nvmrc", "24"],
  ])("is not %s of more than 1 MB", async (name, text) => {
    const files = { "graphlib.json": graphs("./agent.ts:graph"), "package.json": PACKAGE, "agent.ts": "" };
    const app = { ...files, [name]: large(text) };
    await expect(look(undefined, app)).rejects.toMatchObject({
      message: `${name} is larger than 1 MB`,
      details: { file: name, fix: expect.any(String) },
    });
    await expect(look(undefined, { ...files, [name]: text })).resolves.toHaveProperty("config_file");
  });

  test("is a lockfile that is longer", async () => {
    const lock = JSON.stringify({ packages: { "node_modules/@langchain/langgraph": { version: "1.4.18" } } });
    const files = { "graphlib.json": graphs("./agent.ts:graph"), "package.json": PACKAGE, "agent.ts": "" };
    const { findings } = await look(undefined, { ...files, "package-lock.json": large(lock) });
    expect(findings.filter(({ file }) => file === "package-lock.json")).toEqual([]);
  });

  test("is reported as the problem of a configuration", async () => {
    const { root } = fetchedApp(undefined, { "graphlib.json": large(graphs("./agent.ts:graph")) });
    const { problem } = await readFolderApp(root, { root });
    expect(problem).toBe("graphlib.json is larger than 1 MB: Remove what a deployment does not need");
  });
});
