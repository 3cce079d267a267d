import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CompileReport } from "../../../lib/protocol/compile.ts";
import type { PackageManager } from "../../../lib/protocol/preflight.ts";
import { readLock } from "../../../lib/rules/packages/lockfile.ts";
import { type Level, packageHome, workspacePatterns } from "../../../lib/rules/packages/package-home.ts";
import {
  importFindings,
  langgraphFindings,
  lockFindings,
  type PackageInputs,
} from "../../../lib/rules/preflight/imports.ts";
import { planPackages } from "../../../lib/rules/preflight/packages.ts";

const level = (manifest: object | string | undefined, lockfiles: string[] = [], more: Partial<Level> = {}): Level => ({
  path: "",
  lockfiles,
  ...(manifest !== undefined && {
    manifest: typeof manifest === "string" ? manifest : JSON.stringify(manifest, null, 2),
  }),
  ...more,
});

describe("the plan", () => {
  test.each([
    [{}, ["package-lock.json"], { manager: "npm", lockfile: "package-lock.json" }],
    [{}, ["npm-shrinkwrap.json", "package-lock.json"], { manager: "npm", lockfile: "npm-shrinkwrap.json" }],
    [{}, ["pnpm-lock.yaml"], { manager: "pnpm", lockfile: "pnpm-lock.yaml" }],
    [{}, ["yarn.lock"], { manager: "yarn", lockfile: "yarn.lock" }],
    [{}, ["bun.lock"], { manager: "bun", lockfile: "bun.lock" }],
    [{}, [], { manager: "npm" }],
    [
      { packageManager: "pnpm@9.1.0" },
      ["pnpm-lock.yaml"],
      { manager: "pnpm", version: "9.1.0", lockfile: "pnpm-lock.yaml" },
    ],
    [{ packageManager: "yarn@4.1.0+sha512.abc" }, [], { manager: "yarn", version: "4.1.0" }],
    [{ packageManager: "pnpm" }, [], { manager: "pnpm" }],
    [{ packageManager: "pnpm@latest" }, [], { manager: "pnpm" }],
    [{ packageManager: "pnpm@file:../evil" }, [], { manager: "pnpm" }],
    [{ packageManager: "pip@1.0.0" }, [], { manager: "npm" }],
    [{ devEngines: { packageManager: { name: "bun" } } }, [], { manager: "bun" }],
  ])("of %j with %j is %j", (manifest, lockfiles, plan) => {
    expect(planPackages([level(manifest, lockfiles)]).plan).toEqual(plan);
  });

  test("without a lockfile warns that builds do not repeat", () => {
    expect(planPackages([level({})]).findings).toEqual([
      {
        level: "warning",
        file: "package.json",
        message: "No lockfile found.",
        fix: "Commit package-lock.json (or pnpm-lock.yaml, yarn.lock, bun.lock) so that builds repeat.",
      },
    ]);
  });

  test("with two lockfiles states which is used", () => {
    const { plan, findings } = planPackages([level({}, ["package-lock.json", "yarn.lock"])]);
    expect(plan?.manager).toBe("yarn");
    expect(findings[0]).toMatchObject({ level: "warning", file: "yarn.lock", fix: "Remove package-lock.json." });
  });

  test("with the lockfile of another package manager warns", () => {
    const { plan, findings } = planPackages([level({ packageManager: "pnpm@9.1.0" }, ["yarn.lock"])]);
    expect(plan).toEqual({ manager: "pnpm", version: "9.1.0" });
    expect(findings[0]?.message).toBe("There is yarn.lock, but no lockfile of pnpm.");
  });

  test("is null without package.json, and for an invalid one, with the position of the error", () => {
    expect(planPackages([level(undefined)])).toMatchObject({ plan: null, findings: [{ level: "note" }] });
    expect(planPackages([level('{ "dependencies": { }')])).toMatchObject({
      plan: null,
      findings: [{ level: "error", file: "package.json", line: 1, column: 22 }],
    });
    expect(planPackages([level("[]")])).toMatchObject({ plan: null, findings: [{ level: "error", line: 1 }] });
  });

  test("notes that scripts of the application itself are not run", () => {
    const { findings } = planPackages([level({ scripts: { postinstall: "x", test: "y" } }, ["yarn.lock"])]);
    expect(findings).toEqual([expect.objectContaining({ level: "note", line: 3 })]);
  });

  test("can be made from any texts", () => {
    const any = fc.record({
      path: fc.string(),
      manifest: fc.oneof(fc.string(), fc.json()),
      lockfiles: fc.subarray(["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"]),
      pnpmWorkspace: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 3 }), (levels) => {
        for (const { level: how, fix } of planPackages(levels).findings)
          if (how === "error") expect(fix).toMatch(/\.$/);
      }),
    );
  });
});

describe("a package in a folder of a source", () => {
  const root = (manifest: object, lockfiles: string[], more: Partial<Level> = {}) => level(manifest, lockfiles, more);
  const app = (lockfiles: string[] = []) => level({ name: "app" }, lockfiles, { path: "apps/agent" });
  const between = level(undefined, [], { path: "apps" });

  test("is installed from the workspace that it is a member of", () => {
    const levels = [app(), between, root({ workspaces: ["apps/*"] }, ["package-lock.json"])];
    expect(planPackages(levels).plan).toEqual({ manager: "npm", lockfile: "package-lock.json" });
    expect(packageHome(levels)).toMatchObject({ member: "apps/agent", base: { level: 2 }, own: { level: 0 } });
  });

  test("is installed from itself beside a workspace that leaves it out, or with its own lockfile", () => {
    const others = [app(), between, root({ workspaces: ["packages/*"] }, ["package-lock.json"])];
    expect(planPackages(others).plan).toEqual({ manager: "npm", folder: "apps/agent" });
    const own = [app(["yarn.lock"]), between, root({ workspaces: ["apps/*"] }, ["package-lock.json"])];
    expect(planPackages(own).plan).toEqual({ manager: "yarn", lockfile: "apps/agent/yarn.lock", folder: "apps/agent" });
  });

  test("may be a member by pnpm-workspace.yaml", () => {
    const pnpmWorkspace = "packages:\n  # ours\n  - 'apps/**'\n  - \"!apps/old\"\ncatalog:\n  a: 1\n";
    const levels = [app(), between, root({}, ["pnpm-lock.yaml"], { pnpmWorkspace })];
    expect(planPackages(levels).plan).toEqual({ manager: "pnpm", lockfile: "pnpm-lock.yaml" });
    expect(workspacePatterns({}, pnpmWorkspace)).toEqual(["apps/**", "!apps/old"]);
    expect(workspacePatterns({ workspaces: { packages: ["a"] } }, "packages: [b, 'c']")).toEqual(["a", "b", "c"]);
  });

  test("uses the package.json above it where its folder has none", () => {
    expect(packageHome([between, root({ dependencies: {} }, ["yarn.lock"])])).toMatchObject({
      member: "",
      own: { level: 1, file: "../package.json" },
    });
  });
});

/** Builds the input of the package checks from one package.json and a lockfile. */
function packagesOf(manifest: object, lock?: { name: string; text: string }): PackageInputs {
  const { plan, home } = planPackages([level(manifest, lock ? [lock.name] : [])]);
  if (!plan || !home) throw new Error("no packages");
  return { plan, home, ...(lock && { lock: readLock(plan.manager, lock.text, "") }) };
}

const NPM_LOCK = {
  name: "package-lock.json",
  text: JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": {},
      "node_modules/zod": { version: "4.1.0" },
      "node_modules/tool": { version: "1.0.0", dev: true },
      "node_modules/@langchain/langgraph": { version: "1.4.18" },
    },
  }),
};

describe("an import", () => {
  const imported = (name: string, more = {}): CompileReport["imports"][number] => ({
    package: name,
    optional: false,
    file: "src/a.ts",
    line: 3,
    column: 7,
    ...more,
  });

  test("of a listed package, of the package itself, or of one that LangGraph brings has no finding", () => {
    const all = packagesOf({
      name: "me",
      dependencies: { a: "1" },
      optionalDependencies: { b: "1" },
      peerDependencies: { c: "1" },
    });
    const names = ["a", "b", "c", "me", "@langchain/langgraph", "@langchain/core", "@langchain/langgraph-checkpoint"];
    expect(
      importFindings(
        names.map((name) => imported(name)),
        all,
      ),
    ).toEqual([]);
  });

  test("of a package in neither package.json nor the lockfile is an error at its position", () => {
    const [finding, ...rest] = importFindings(
      [imported("langchan"), imported("langchan", { line: 9 })],
      packagesOf({ dependencies: { langchain: "^1.0.0" } }, NPM_LOCK),
    );
    expect(rest).toEqual([]);
    expect(finding).toEqual({
      level: "error",
      file: "src/a.ts",
      line: 3,
      column: 7,
      message: 'src/a.ts imports "langchan", which package.json does not list.',
      fix: 'Run "npm install langchan" and commit what it changes, or write "langchain" if that is meant.',
    });
  });

  test("of a package for development only is an error", () => {
    const dev = packagesOf({ devDependencies: { tool: "^1.0.0" } }, NPM_LOCK);
    expect(importFindings([imported("tool")], dev)[0]).toMatchObject({
      level: "error",
      message: expect.stringContaining("only under devDependencies"),
      fix: 'Move "tool" to dependencies.',
    });
  });

  test("of a package that only another one brings, of an unknown one, or one that may fail is a warning", () => {
    const locked = packagesOf({}, NPM_LOCK);
    expect(importFindings([imported("zod")], locked)[0]).toMatchObject({
      level: "warning",
      message: expect.stringContaining("only because another package needs it"),
    });
    expect(importFindings([imported("gone", { optional: true })], locked)[0]?.level).toBe("warning");
    expect(importFindings([imported("gone")], packagesOf({}))[0]?.level).toBe("warning");
  });

  test("without a package.json finds the packages that the server provides", () => {
    expect(importFindings([imported("zod"), imported("@langchain/langgraph")], undefined)).toEqual([]);
    expect(importFindings([imported("is-odd")], undefined)[0]).toMatchObject({ level: "error", line: 3 });
  });

  test("in a file of another package of the source is not checked", () => {
    expect(importFindings([imported("gone", { file: "../shared/a.ts" })], packagesOf({}, NPM_LOCK))).toEqual([]);
  });
});

describe("LangGraph", () => {
  const langgraph = (range: string) => packagesOf({ dependencies: { "@langchain/langgraph": range } });

  test("that is not listed is reported, unless another package brings it", () => {
    expect(langgraphFindings(packagesOf({}))).toMatchObject([{ level: "warning", file: "package.json" }]);
    expect(langgraphFindings(packagesOf({}, NPM_LOCK))).toEqual([]);
  });

  test("of a version that is too old is an error at its line", () => {
    expect(langgraphFindings(langgraph("^0.1.0"))).toMatchObject([{ level: "error", file: "package.json", line: 3 }]);
    for (const range of ["^1.0.0", "^0.2.0", "1.4.18", "latest", ">=0.2", "*", "workspace:*"])
      expect(langgraphFindings(langgraph(range))).toEqual([]);
  });

  test("of a version that emits less than newer ones is noted", () => {
    const message = expect.stringContaining("@langchain/langgraph 0.2.64 is old");
    expect(langgraphFindings(langgraph("0.2.64"))).toMatchObject([{ level: "note", message, line: 3 }]);
    expect(langgraphFindings(langgraph("0.2.74"))).toEqual([]);
  });

  test.each<[PackageManager, string, string]>([
    ["npm", "package-lock.json", '{"packages":{"node_modules/@langchain/langgraph":{"version":"0.2.5"}}}'],
    ["yarn", "yarn.lock", '"@langchain/langgraph@>=0.2", "@langchain/langgraph@^0.2.1":\n  version "0.2.5"\n'],
    ["yarn", "yarn.lock", '"@langchain/langgraph@npm:>=0.2":\n  version: 0.2.5\n  resolution: "x"\n'],
    [
      "bun",
      "bun.lock",
      '{"workspaces":{"":{}},"packages":{"@langchain/langgraph":["@langchain/langgraph@0.2.5","",{}]},}',
    ],
  ])("has the version of a lockfile of %s", (manager, name, text) => {
    const manifest = { packageManager: manager, dependencies: { "@langchain/langgraph": ">=0.2" } };
    expect(langgraphFindings(packagesOf(manifest, { name, text }))).toMatchObject([
      {
        level: "error",
        message: "@langchain/langgraph 0.2.5 is too old: 0.2.50 is the oldest that is served.",
        fix: expect.stringMatching(
          `^Run "${manager} (?:add|install) @langchain/langgraph@latest @langchain/core@latest"`,
        ),
      },
    ]);
  });
});

test("a lockfile without a package that package.json lists is an error at the package's line, with a fix", () => {
  const both = { dependencies: { zod: "^4.0.0", gone: "^1.0.0" } };
  expect(lockFindings(packagesOf(both, NPM_LOCK))).toEqual([
    {
      level: "error",
      file: "package.json",
      line: 4,
      column: 5,
      message: "package-lock.json does not match package.json: it has no gone@^1.0.0.",
      fix: 'Run "npm install" and commit package-lock.json.',
    },
  ]);
  expect(lockFindings(packagesOf({ dependencies: { zod: "^4.0.0" } }, NPM_LOCK))).toEqual([]);
  expect(lockFindings(packagesOf({ dependencies: { zod: "^3.0.0" } }, NPM_LOCK))).toHaveLength(1);
  expect(lockFindings(packagesOf({ overrides: { gone: "1" }, ...both }, NPM_LOCK))).toEqual([]);
  expect(lockFindings(packagesOf({ dependencies: { local: "file:./local", git: "me/thing" } }, NPM_LOCK))).toEqual([]);
});
