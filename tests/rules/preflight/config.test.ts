import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseConfig, readConfig } from "../../../lib/rules/preflight/config.ts";

const text = (value: unknown) => JSON.stringify(value, null, 2);

/** Valid and invalid values of a configuration. */
const anything = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      graphs: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant("./a.ts:graph"), fc.jsonValue())),
      ),
      env: fc.jsonValue(),
      node_version: fc.jsonValue(),
      api_version: fc.oneof(fc.string(), fc.constantFrom("0.4.20", "0.5", "1.0.0")),
      http: fc.jsonValue(),
      store: fc.jsonValue(),
      auth: fc.jsonValue(),
      grahps: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);

describe("a configuration", () => {
  test("is read from any text, and every error has a position and a fix", () => {
    const texts = fc.oneof(anything.map(text), fc.string(), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(texts, (source) => {
        const { config, findings } = readConfig("graphlib.json", source);
        const errors = findings.filter(({ level }) => level === "error");
        expect(errors.length > 0).toBe(config === undefined);
        for (const error of errors) {
          expect(error).toMatchObject({ file: "graphlib.json", line: expect.any(Number), column: expect.any(Number) });
          expect(error.fix).toMatch(/\.$/);
        }
        for (const { message } of findings) expect(message).toMatch(/\.$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test("that is not JSON is an error with line and column", () => {
    expect(readConfig("graphlib.json", '{\n  "graphs": { "a": "./a.ts:a", }\n}').findings).toEqual([
      {
        level: "error",
        file: "graphlib.json",
        line: 2,
        column: 30,
        message: 'There is a comma before "}".',
        fix: "Remove the comma.",
      },
    ]);
  });
});

test.each([
  [{}, 1, '"graphs" is missing: expected record, received undefined.'],
  [{ graphs: {} }, 2, "graphs is {}: expected at least one graph."],
  [
    { graphs: { ["__proto__"]: "./a.ts:a", b: "./b.ts:b" } },
    2,
    'graphs is {"__proto__":"./a.ts:a","b":"./b.ts:b"}: a graph can\'t be named __proto__.',
  ],
  [{ env: {}, graphs: { a: "./a.ts" } }, 4, 'graphs.a is "./a.ts": expected "./file.ts:export".'],
  [{ graphs: { a: { path: 5 } } }, 4, "graphs.a.path is 5: expected string, received number."],
  [{ graphs: { a: "./a.ts:a" }, node_version: 22 }, 5, "node_version is 22: expected string, received number."],
  [{ graphs: { a: "./a.ts:a" }, http: { app: "x" } }, 6, 'http.app is "x": expected "./file.ts:export".'],
  [
    { graphs: { a: { path: "./a.ts:a", a2a: { inputModes: ["png"] } } } },
    7,
    'graphs.a.a2a.inputModes.0 is "png": expected a media type such as "text/plain" or "image/*".',
  ],
  [
    { graphs: { a: "./a.ts:a" }, http: { a2a: { card: { icon_url: "i" } } } },
    8,
    'http.a2a.card.icon_url is "i": expected an http or https address.',
  ],
  [{ graphs: { a: "./a.ts:a" }, env: 5 }, 5, "env is 5: expected string, received number."],
])("%j is refused at line %i", (value, line, message) => {
  const [finding] = readConfig("langgraph.json", text(value)).findings;
  expect(finding).toMatchObject({ level: "error", file: "langgraph.json", line, message });
});

test("a fix states the text to write", () => {
  const fix = (value: unknown) => readConfig("graphlib.json", text(value)).findings[0]?.fix;
  expect(fix({ graphs: { a: "./src/a.ts" } })).toMatch(/^Write "\.\/src\/a\.ts:graph":/);
  expect(fix({ graphs: { a: { path: "./a.ts:a", a2a: { name: 5 } } } })).toBe(
    'Correct "graphs.a.a2a.name", or remove it.',
  );
  expect(fix({})).toBe('Write "graphs": { "agent": "./src/agent.ts:graph" }.');
  expect(fix({ graphs: { a: "./a.ts:a" }, node_version: 20 })).toBe('Write "node_version": "22".');
});

describe("a setting that is accepted and has no effect", () => {
  const notes = (value: object) => readConfig("graphlib.json", text({ graphs: { a: "./a.ts:a" }, ...value })).findings;

  test("is a note at its line, not an error", () => {
    expect(notes({ dockerfile_lines: ["RUN x"] })).toEqual([
      expect.objectContaining({
        level: "note",
        line: 5,
        message: expect.stringContaining('"dockerfile_lines" has no'),
      }),
    ]);
    expect(notes({ checkpointer: { path: "./c.ts:c" } })).toEqual([
      expect.objectContaining({ level: "note", line: 6 }),
    ]);
  });

  test("may be a misspelt name", () => {
    expect(notes({ node_verison: "22" })[0]?.fix).toBe('Write "node_version" if that is meant.');
  });

  test("is none of the members of agent cards", () => {
    const card = { name: "A", iconUrl: "https://h/i.png", skills: [{ id: "s", name: "S", description: "D" }] };
    const auth = { path: "./auth.ts:auth", openapi: { securitySchemes: { key: { type: "apiKey" } }, security: [] } };
    expect(notes({ http: { a2a: { push_notifications: true, card } }, auth })).toEqual([]);
  });

  test("is none of the members that editors and Python read", () => {
    expect(notes({ $schema: "x", dependencies: ["."], python_version: "3.12" })).toEqual([]);
  });
});

test("an api_version before 0.4.21 switches A2A off, with a warning", () => {
  const read = (api_version: string) => readConfig("graphlib.json", text({ graphs: { a: "./a.ts:a" }, api_version }));
  expect(read("0.4.20").config?.http.disable_a2a).toBe(true);
  expect(read("0.4.20").findings).toEqual([
    expect.objectContaining({ level: "warning", line: 5, message: expect.stringContaining("A2A is off") }),
  ]);
  for (const newer of ["0.4.21", "0.8", "1.2.3"]) {
    expect(read(newer)).toMatchObject({ findings: [], config: { http: { disable_a2a: false } } });
  }
  expect(read("newest")).toMatchObject({ findings: [{ level: "warning" }], config: { http: { disable_a2a: false } } });
});

describe("of two configurations", () => {
  const graphs = text({ graphs: { a: "./a.ts:a" } });

  test("graphlib.json is read, with a warning that langgraph.json is not", () => {
    const both = new Map([
      ["langgraph.json", "not JSON"],
      ["graphlib.json", graphs],
    ]);
    const { file, config, findings } = chooseConfig(both, "", []);
    expect({ file, graphs: Object.keys(config?.graphs ?? {}) }).toEqual({ file: "graphlib.json", graphs: ["a"] });
    expect(findings).toEqual([expect.objectContaining({ level: "warning", file: "langgraph.json" })]);
  });

  test("langgraph.json alone is read without a finding", () => {
    expect(chooseConfig(new Map([["langgraph.json", graphs]]), "", [])).toMatchObject({
      file: "langgraph.json",
      findings: [],
    });
  });

  test("without any there is an error that lists folders that have one", () => {
    const found = (elsewhere: string[]) => chooseConfig(new Map(), "apps", elsewhere).findings[0];
    expect(found([])?.fix).toContain("Add a graphlib.json");
    expect(found([])?.folders).toBeUndefined();
    expect(found(["apps/agent", "b"])).toMatchObject({
      fix: 'Choose the folder "apps/agent" or "b", which has one.',
      folders: ["apps/agent", "b"],
    });
  });
});

test("a pattern that cannot be matched in linear time is an error with a fix", () => {
  const http = { cors: { allow_origin_regex: "https://(?!evil).*" } };
  const { config, findings } = readConfig("graphlib.json", text({ graphs: { a: "./a.ts:a" }, http }));
  expect(config).toBeUndefined();
  expect(findings).toEqual([
    expect.objectContaining({ level: "error", line: 7, message: expect.stringContaining("looks ahead or behind") }),
  ]);
});
