import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compiledFolder, createCompile } from "../../lib/drivers/builds/compile.ts";
import { type FetchedSource, StepFailure } from "../../lib/engine/ports/builds.ts";
import {
  CODE_CACHE,
  fetchedApp,
  type Files,
  LIB,
  newContext,
  newFolder,
  removeFolders,
  writeFiles,
} from "../support/built-apps.ts";

afterAll(removeFolders);

const compile = createCompile({ main: join(LIB, "worker/compile.ts"), cache: CODE_CACHE });
const graphsOf = (...paths: string[]) =>
  Object.fromEntries(paths.map((path, index) => [`g${index}`, { path, description: undefined }]));

/** Returns the names of the compiled files, from their source maps. */
function compiledIn({ root }: FetchedSource): string[] {
  return readdirSync(compiledFolder(root)).filter((name) => name.endsWith(".js"));
}

describe("all reachable files are compiled, and no others", () => {
  test("through aliases, from graphs and from routes", async () => {
    const fetched = fetchedApp("aliases", { "src/unused.ts": "export const no: number = 1;" });
    const code = { graphs: graphsOf("./src/agent/graph.ts:graph"), app: "./src/agent/routes.ts:app" };
    expect(await compile(fetched, code, newContext())).toEqual({ files: 3 });
    expect(compiledIn(fetched)).toHaveLength(3);
  });

  test("from authentication and embeddings, but not where those are a provider's", async () => {
    const file = "export const x: number = 1;\n";
    const files = { "a.ts": file, "auth.ts": file, "embed.ts": file };
    const counts = async (embed: string) =>
      await compile(
        fetchedApp(undefined, files),
        { graphs: graphsOf("./a.ts:x"), auth: "./auth.ts:x", embed },
        newContext(),
      );
    expect(await counts("./embed.ts:x")).toEqual({ files: 3 });
    expect(await counts("openai:text-embedding-3-small")).toEqual({ files: 2 });
  });

  test("but no JavaScript, which Node reads as it is", async () => {
    const fetched = fetchedApp("langgraph-only");
    expect(await compile(fetched, { graphs: graphsOf("./graph.mjs:graph") }, newContext())).toEqual({ files: 0 });
  });
});

test("a tsconfig.json above the source's root is ignored", async () => {
  const above = newFolder();
  const root = join(above, "source");
  const paths = { "~/*": ["./source/*"] };
  const fetched = fetchedApp(
    undefined,
    {
      "../tsconfig.json": JSON.stringify({ compilerOptions: { paths } }),
      "a.ts": 'import { b } from "~/b";\nexport const graph = b;\n',
      "b.ts": "export const b: number = 1;\n",
    },
    "",
    root,
  );
  const compiled = async () => await compile(fetched, { graphs: graphsOf("./a.ts:graph") }, newContext());
  await expect(compiled()).rejects.toThrow('There is no file "~/b" to import');
  writeFiles(root, { "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "~/*": ["./*"] } } }) });
  expect(await compiled()).toEqual({ files: 2 });
});

describe("code that can't be compiled", () => {
  const failureOf = async (files: Files) => {
    const fetched = fetchedApp(undefined, files);
    const context = newContext();
    const failure: unknown = await compile(fetched, { graphs: graphsOf("./a.ts:graph") }, context).catch(
      (error) => error,
    );
    if (!(failure instanceof StepFailure)) throw new Error("no failure", { cause: failure });
    expect(existsSync(compiledFolder(fetched.root))).toBe(false);
    return { message: failure.message, ...failure.details, lines: context.lines };
  };

  test("is reported with file, line and text, and leaves nothing", async () => {
    expect(await failureOf({ "a.ts": 'import "./b";\nexport const graph = 1;\n', "b.ts": "\nconst a = ;\n" })).toEqual({
      message: 'Unexpected ";".',
      file: "b.ts",
      line: 2,
      column: 11,
      fix: "Fix the code there.",
      lines: ['us b.ts:2  Unexpected ";".'],
    });
  });

  test("imports a missing file", async () => {
    expect(await failureOf({ "a.ts": 'export { graph } from "./gone";\n' })).toMatchObject({
      message: 'There is no file "./gone" to import.',
      file: "a.ts",
      line: 1,
    });
  });

  test("uses top-level await in CommonJS", async () => {
    expect(
      await failureOf({ "a.ts": "const x = await Promise.resolve(1);\nmodule.exports = { graph: x };\n" }),
    ).toMatchObject({
      file: "a.ts",
      line: 1,
    });
  });
});

test("other packages of the workspace are compiled with the application, once they are linked", async () => {
  const files = {
    "apps/a/graph.ts": 'import { next } from "@acme/shared";\nexport const graph: number = next;\n',
    "shared/package.json": '{ "name": "@acme/shared", "type": "module", "exports": "./next.ts" }',
    "shared/next.ts": "export const next: number = 1;\n",
  };
  const fetched = fetchedApp(undefined, files, "apps/a");
  mkdirSync(join(fetched.root, "node_modules/@acme"), { recursive: true });
  symlinkSync("../../shared", join(fetched.root, "node_modules/@acme/shared"));
  expect(await compile(fetched, { graphs: graphsOf("./graph.ts:graph") }, newContext())).toEqual({ files: 2 });
});

test("an aborted compilation rejects with the reason", async () => {
  const abort = new AbortController();
  const compiling = compile(
    fetchedApp("single"),
    { graphs: graphsOf("./src/agent.ts:graph") },
    newContext(abort.signal),
  );
  abort.abort("enough");
  await expect(compiling).rejects.toBe("enough");
});
