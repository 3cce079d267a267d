import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CodeFile,
  codeEntries,
  codeFindings,
  detectedGraphs,
  problemFindings,
} from "../../../lib/rules/preflight/code.ts";
import { readConfig } from "../../../lib/rules/preflight/config.ts";

function read(value: object) {
  const { config, text } = readConfig("graphlib.json", JSON.stringify(value, null, 2));
  if (!config || !text) throw new Error("no configuration");
  return { file: "graphlib.json", config, text };
}

const findings = (value: object, files: Record<string, CodeFile>) =>
  codeFindings(read(value), new Map(Object.entries(files)));

const AGENT = { graphs: { agent: "./src/agent.ts:graph" } };

describe("a graph's path", () => {
  test("to an export that exists, or may exist, has no finding", () => {
    expect(findings(AGENT, { "./src/agent.ts": { found: "file", exports: ["graph"] } })).toEqual([]);
    expect(findings(AGENT, { "./src/agent.ts": { found: "file" } })).toEqual([]);
  });

  test("to an export that does not exist is an error that lists those that do", () => {
    expect(findings(AGENT, { "./src/agent.ts": { found: "file", exports: ["model", "app"] } })).toEqual([
      {
        level: "error",
        file: "graphlib.json",
        line: 3,
        column: 5,
        message:
          'graphs.agent points to ./src/agent.ts:graph, but src/agent.ts has no export "graph". It exports: app, model.',
        fix: 'Write "./src/agent.ts:app".',
      },
    ]);
  });

  test.each([
    [["garph", "app"], 'Write "./src/agent.ts:garph".'],
    [["model", "workflow"], 'Write "./src/agent.ts:workflow".'],
    [["model"], 'Write "./src/agent.ts:model".'],
    [[], 'Export it: "export const graph = …".'],
  ])("with exports %j the fix is %s", (exports, fix) => {
    expect(findings(AGENT, { "./src/agent.ts": { found: "file", exports } })[0]?.fix).toBe(fix);
  });

  test("to no file is an error that names a file with a similar name", () => {
    const [finding] = findings(AGENT, { "./src/agent.ts": { found: "nothing", near: "src/agent.tsx" } });
    expect(finding).toMatchObject({
      message: "graphs.agent points to ./src/agent.ts:graph, but there is no file src/agent.ts.",
      fix: 'Write "./src/agent.tsx:graph".',
    });
  });

  test("out of the source, or to a file that is no code, is an error", () => {
    expect(findings(AGENT, { "./src/agent.ts": { found: "outside" } })[0]?.message).toContain("outside of the source");
    const text = { graphs: { agent: "./agent.md:graph" } };
    expect(findings(text, { "./agent.md": { found: "file" } })[0]?.message).toContain("neither TypeScript nor");
  });

  test("to Python is a warning beside other graphs, and an error without any", () => {
    const python = { py: "./agent.py:graph" };
    expect(findings({ graphs: { ...AGENT.graphs, ...python } }, { "./src/agent.ts": { found: "file" } })).toEqual([
      expect.objectContaining({
        level: "warning",
        line: 4,
        message: expect.stringContaining("graphs.py is written in"),
      }),
    ]);
    expect(findings({ graphs: python }, {})).toEqual([expect.objectContaining({ level: "error" })]);
    expect(detectedGraphs(read({ graphs: { ...AGENT.graphs, ...python } }).config)).toEqual([
      { graph: "agent", file: "./src/agent.ts", export: "graph" },
    ]);
  });
});

describe("Python is recognised", () => {
  const messages = (value: object) => findings(value, {}).map(({ level, message }) => [level, message]);
  const refused = ["error", "graphs.agent is written in Python, which is not supported yet."];

  test.each([
    ["by the ending of a file", { graphs: { agent: "./agent.py:graph" } }],
    ["by a module with dots", { graphs: { agent: "my_agent.graph:graph" } }],
    ["by a module with dots, beside a version of Node.js", { node_version: "22", graphs: { agent: "a.b.c:make" } }],
    ["by python_version, whatever the path", { python_version: "3.12", graphs: { agent: "agent:graph" } }],
    ["by python_version, with a folder", { python_version: "3.12", graphs: { agent: "./src/agent:graph" } }],
  ])("%s", (_, config) => {
    expect(messages(config)).toEqual([refused]);
    expect(detectedGraphs(read(config).config)).toEqual([]);
  });

  test("and other paths are not taken for Python", () => {
    const both = { python_version: "3.12", node_version: "22" };
    for (const config of [
      { graphs: { agent: "agent.json:graph" } },
      { graphs: { agent: "src/my.agent:graph" } },
      both,
    ]) {
      const whole = { graphs: { agent: "./agent:graph" }, ...config };
      expect(codeEntries(read(whole).config)).toMatchObject({ entries: [{ key: "graphs.agent" }], python: [] });
    }
  });

  test("python_version beside a graph in TypeScript leaves that graph", () => {
    const config = { python_version: "3.12", graphs: { agent: "./src/agent.ts:graph", other: "my_agent.graph:graph" } };
    expect(detectedGraphs(read(config).config).map(({ graph }) => graph)).toEqual(["agent"]);
    expect(findings(config, { "./src/agent.ts": { found: "file" } })).toMatchObject([
      { level: "warning", message: expect.stringContaining("graphs.other is written in Python") },
    ]);
  });

  test("no file that Node.js loads is taken for Python", () => {
    const ending = fc.constantFrom("ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx");
    const name = fc.tuple(fc.stringMatching(/^[a-z_][\w./-]{0,20}$/), ending).map(([stem, end]) => `${stem}.${end}`);
    fc.assert(
      fc.property(name, fc.option(fc.constant("3.12"), { nil: undefined }), (file, python_version) => {
        const config = { graphs: { agent: `${file}:graph` }, ...(python_version && { python_version }) };
        expect(codeEntries(read(config).config).python).toEqual([]);
      }),
    );
  });
});

test("auth, http.app and store.index.embed are entries like graphs; a provider's embeddings are not", () => {
  const more = { auth: { path: "./auth.ts:auth" }, http: { app: "./app.ts:app" } };
  const keys = (embed: string) =>
    codeEntries(read({ ...AGENT, ...more, store: { index: { dims: 3, embed } } }).config).entries.map(({ key }) => key);
  expect(keys("./embed.ts:embed")).toEqual(["graphs.agent", "auth.path", "http.app", "store.index.embed"]);
  expect(keys("openai:text-embedding-3-small")).toEqual(["graphs.agent", "auth.path", "http.app"]);
});

test("any paths and files give errors with file, line and fix", () => {
  const graph = fc.string({ minLength: 1 }).filter((name) => name !== "__proto__");
  const path = fc
    .tuple(fc.string({ minLength: 1 }), fc.string())
    .map(([file, name]) => `${file.replaceAll(":", "")}x:${name}`);
  const found: fc.Arbitrary<CodeFile> = fc.oneof(
    fc.record({ found: fc.constant("file" as const), exports: fc.option(fc.array(fc.string()), { nil: undefined }) }),
    fc.record({ found: fc.constant("nothing" as const), near: fc.option(fc.string(), { nil: undefined }) }),
    fc.constant({ found: "outside" as const }),
  );
  fc.assert(
    fc.property(fc.dictionary(graph, path, { minKeys: 1 }), found, (graphs, file) => {
      const value = read({ graphs });
      const files = new Map(codeEntries(value.config).entries.map((entry) => [entry.file, file]));
      for (const finding of codeFindings(value, files)) {
        expect(finding).toMatchObject({ file: "graphlib.json", line: expect.any(Number), fix: expect.any(String) });
      }
    }),
  );
});

test("a problem of the code is an error with its position, and a warning where the import is optional", () => {
  const place = { file: "a.ts", line: 1, column: 2 };
  expect(problemFindings([{ text: 'There is no file "./b" to import', ...place }])).toEqual([
    {
      level: "error",
      ...place,
      step: "building",
      message: 'There is no file "./b" to import.',
      fix: "Commit the file, or correct the import.",
    },
  ]);
  expect(problemFindings([{ text: "x", ...place, optional: true }])).toMatchObject([{ level: "warning" }]);
});
