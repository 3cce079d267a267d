/** Applications with one fault each, and the problem that must be reported. */
import type { Files } from "../support/git-server.ts";

export const json = (value: object): string => JSON.stringify(value, null, 2);
const GRAPH = `
import { Annotation, StateGraph } from "@langchain/langgraph";
export const graph = new StateGraph(Annotation.Root({ said: Annotation() }))
  .addNode("say", () => ({ said: "hello" })).addEdge("__start__", "say").compile();
`;
export const BASE = { "graphlib.json": json({ graphs: { agent: "./graph.mjs:graph" } }), "graph.mjs": GRAPH };
/** Adds code before the graph is created, so that loading fails there. */
export const first = (code: string): Files => ({ ...BASE, "graph.mjs": `${code}\n${GRAPH}` });
const manifest = (dependencies: object): string =>
  json({
    name: "x",
    private: true,
    type: "module",
    dependencies: { "@langchain/langgraph": "1.4.18", ...dependencies },
  });
const LOCK = json({
  name: "x",
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": { name: "x", dependencies: { "@langchain/langgraph": "1.4.18" } },
    "node_modules/@langchain/langgraph": { version: "1.4.18" },
  },
});

export interface Broken {
  what: string;
  files: Files;
  problem: { message: string | RegExp; file?: string; line?: number; column?: number; fix: RegExp };
}

export const configurations: Broken[] = [
  {
    what: "is not there",
    files: { "graph.mjs": GRAPH },
    problem: {
      message: "There is no graphlib.json or langgraph.json in the source.",
      file: "graphlib.json",
      fix: /^Add a graphlib.json such as \{ "graphs"/,
    },
  },
  {
    what: "is in another folder",
    files: { "apps/bot/graphlib.json": BASE["graphlib.json"] },
    problem: { message: /^There is no graphlib.json/, fix: /^Choose the folder "apps\/bot", which has one\.$/ },
  },
  {
    what: "is no JSON",
    files: { ...BASE, "graphlib.json": '{\n  "graphs": {\n    "agent": "./graph.mjs:graph",,\n  }\n}\n' },
    problem: { message: /found ","\.$/, file: "graphlib.json", line: 3, column: 34, fix: /double quotes/ },
  },
  {
    what: "names what the code does not export",
    files: { ...BASE, "graph.mjs": GRAPH.replace("const graph", "const app") },
    problem: {
      message: 'graphs.agent points to ./graph.mjs:graph, but graph.mjs has no export "graph". It exports: app.',
      file: "graphlib.json",
      line: 3,
      fix: /^Write "\.\/graph\.mjs:app"\.$/,
    },
  },
  {
    what: "is written in Python, as modules",
    files: {
      "langgraph.json": json({ python_version: "3.12", dependencies: ["."], graphs: { agent: "bot.graph:app" } }),
    },
    problem: {
      message: "graphs.agent is written in Python, which is not supported yet.",
      file: "langgraph.json",
      line: 7,
      fix: /^Point it to a graph of LangGraph\.js/,
    },
  },
  {
    what: "is fine, but a package is not listed",
    files: { ...first('import pad from "left-pad";'), "package.json": manifest({}), "package-lock.json": LOCK },
    problem: {
      message: 'graph.mjs imports "left-pad", which package.json does not list.',
      file: "graph.mjs",
      line: 1,
      fix: /^Run "npm install left-pad"/,
    },
  },
  {
    what: "is fine, but the lockfile is not that of package.json",
    files: { ...BASE, "package.json": manifest({ "is-odd": "3.0.1" }), "package-lock.json": LOCK },
    problem: {
      message: "package-lock.json does not match package.json: it has no is-odd@3.0.1.",
      file: "package.json",
      line: 7,
      fix: /^Run "npm install" and commit package-lock\.json\.$/,
    },
  },
];

export const packages: Broken[] = [
  {
    what: "does not exist",
    files: { ...BASE, "package.json": manifest({ "@graphlib-tests/not-there": "^1.0.0" }) },
    problem: {
      message: 'There is no package "@graphlib-tests/not-there"',
      file: "package.json",
      line: 7,
      fix: /^Correct its name\./,
    },
  },
  {
    what: "does not fit another",
    files: { ...BASE, "package.json": manifest({ react: "19.0.0", "use-sync-external-store": "1.2.0" }) },
    problem: {
      message: /^"use-sync-external-store" needs react /,
      file: "package.json",
      line: 8,
      fix: /^Use compatible versions/,
    },
  },
];

/** The last fault is found only when the packages are installed. */
export const compilations: Broken[] = [
  {
    what: "does not parse",
    files: first("const a = {;"),
    problem: { message: /^Expected identifier but found ";"/, file: "graph.mjs", line: 1, column: 12, fix: /^Fix/ },
  },
  {
    what: "imports TypeScript that does not parse",
    files: { ...first('import "./lib/tools";'), "lib/tools.ts": "export enum A {\n  one = 1,,\n}\n" },
    problem: { message: /^Expected identifier but found ","/, file: "lib/tools.ts", line: 2, column: 11, fix: /^Fix/ },
  },
  {
    what: "imports a package of its own workspace, in which something is wrong",
    files: {
      ...first('import { next } from "@acme/next";\nglobalThis.next = next;'),
      "package.json": json({
        name: "x",
        private: true,
        type: "module",
        workspaces: ["packages/*"],
        dependencies: { "@acme/next": "*" },
      }),
      "packages/next/package.json": json({
        name: "@acme/next",
        version: "1.0.0",
        type: "module",
        exports: "./next.ts",
      }),
      "packages/next/next.ts": "const one: number = 1;\nexport const next = one +;\n",
    },
    problem: { message: 'Unexpected ";".', file: "packages/next/next.ts", line: 2, column: 26, fix: /^Fix the code/ },
  },
];

/** The first fault is found only when the code is loaded. */
export const graphs: Broken[] = [
  {
    what: "imports a package that nobody lists, in a way that only shows when it is loaded",
    files: { ...first('await import(["left", "pad"].join("-"));') },
    problem: {
      message: /^Graph "agent" does not load: .*Cannot find package 'left-pad' imported from graph\.mjs$/,
      file: "graph.mjs",
      fix: /^List "left-pad" in package\.json/,
    },
  },
  {
    what: "throws",
    files: {
      "graphlib.json": json({ graphs: { agent: "./src/agent.ts:graph" } }),
      "src/agent.ts": `import "./database";\n${GRAPH}`,
      "src/database.ts":
        "interface A { a: string }\n\nexport const a: A = { a: `no database in ${import.meta.dirname}` };\nthrow new TypeError(a.a);\n",
    },
    problem: {
      message: 'Graph "agent" does not load: TypeError: no database in src',
      file: "src/database.ts",
      line: 4,
      fix: /^Fix the graph's code/,
    },
  },
];

const KEEP = (what: string): Files => first(`globalThis.kept = [];\nfor (let n = 0; n < 20; n++) kept.push(${what});`);
const squat = (address: string): Files =>
  first(
    `import { createServer } from "node:net";\n` +
      `await new Promise((done) => createServer().listen(Number(process.env.SQUAT), "${address}", done));`,
  );

/** Code that the process runs at its start, in place of loading. */
export const starts: Broken[] = [
  {
    what: "ends it",
    files: first('console.error("DATABASE_URL is not set");\nprocess.exit(3);'),
    problem: {
      message:
        "The code does not start: its process ended with exit code 3 while it loaded. It printed: DATABASE_URL is not set",
      fix: /^Fix it/,
    },
  },
  {
    what: "throws where nobody can catch it",
    files: first(
      'setImmediate(() => { throw new Error("too late"); });\nawait new Promise(() => setInterval(() => 1, 1e6));',
    ),
    problem: { message: /exit code 1 while it loaded\. It printed: Error: too late$/, fix: /^Fix it/ },
  },
  {
    what: "fills its heap",
    files: KEEP("Array.from({ length: 12_500_000 }, (_, i) => i + n + 0.5)"),
    problem: { message: /it ran out of memory: its heap may grow to 128 MB \(memory_mb\)$/, fix: /raise memory_mb/ },
  },
  {
    what: "keeps 2 GB outside of its heap",
    files: KEEP("Buffer.alloc(100_000_000, 1)"),
    problem: {
      message: /it took \d+ MB of memory, .*limit of 128 MB \(memory_mb\) leaves it$/,
      fix: /raise memory_mb/,
    },
  },
  {
    what: "takes the server's port",
    files: squat("127.0.0.1"),
    problem: {
      message: /It printed: Error: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+$/,
      fix: /^Fix it/,
    },
  },
  {
    what: "takes the server's port where browsers look for localhost first",
    files: squat("::1"),
    problem: { message: /It printed: Error: listen EADDR\w+: .* ::1:\d+$/, fix: /^Fix it/ },
  },
];
