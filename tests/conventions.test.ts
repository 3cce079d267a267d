import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = [
  "{app,lib,graphs,tests}/**/*.{ts,tsx,mjs,js,css}",
  "*.{ts,js,mjs}",
  ".dependency-cruiser.cjs",
  ".ci/run",
];
const DOCS = glob(["*.md", "docs/**/*.md"]);

const Names = z.record(z.string(), z.string());
const PackageJson = z.object({ scripts: Names, dependencies: Names, devDependencies: Names });
const Locked = z.object({
  license: z.string().optional(),
  resolved: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: Names.optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Locked) });

function glob(patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT }).filter((file) => !/(^|\/)(node_modules|apps)\//.test(file));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

const packageJson = PackageJson.parse(JSON.parse(read("package.json")));
const lock = Lock.parse(JSON.parse(read("package-lock.json")));

describe("files", () => {
  const lines = (file: string) => read(file).trimEnd().split("\n").length;

  it("have at most 300 lines", () => {
    const files = glob(SOURCES);
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => lines(file) > 300)).toEqual([]);
  });

  it.each([
    ["README.md", 150],
    ["AGENTS.md", 100],
  ])("%s has at most %i lines", (file, most) => {
    expect(lines(file)).toBeLessThanOrEqual(most);
  });

  it("are not named utils, helpers, types, index, manager or service", () => {
    expect(glob(SOURCES).filter((file) => /\/(utils|helpers|types|index|manager|service)\.tsx?$/.test(file))).toEqual(
      [],
    );
  });

  it("include an executable script for continuous integration", () => {
    expect(() => accessSync(join(ROOT, ".ci/run"), constants.X_OK)).not.toThrow();
  });
});

function visit(text: string, see: (node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    see(node);
    ts.forEachChild(node, walk);
  };
  ts.forEachChild(ts.createSourceFile("source.tsx", text, ts.ScriptTarget.Latest, true), walk);
}

const PLATFORM =
  /^(process|fetch|set(Timeout|Interval|Immediate)|queueMicrotask|console|performance|Buffer|globalThis|window|document|navigator|require)$/;

/** Finds uses of the clock, randomness, timers and input or output, which a pure floor must receive as arguments. */
function impurities(source: string): string[] {
  const found: string[] = [];
  visit(source, (node) => {
    const text = node.getText();
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isBindingElement(parent);
    const isForeign = ts.isIdentifier(node) && !isMember && !isKey && PLATFORM.test(text);
    const isClock = ts.isNewExpression(node) && /^new Date(\(\))?$/.test(text);
    const isChance =
      ts.isPropertyAccessExpression(node) &&
      /^(Date\.now|Math\.random|crypto\.(randomUUID|getRandomValues))$/.test(text);
    const isImport = ts.isStringLiteral(node) && text.slice(1).startsWith("node:");
    if (isForeign || isClock || isChance || isImport) found.push(text);
  });
  return found;
}

describe("code", () => {
  it("of the pure floors uses no clock, randomness, timer, input or output", () => {
    const files = glob(["lib/{protocol,rules}/**/*.ts"]);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => impurities(read(file)).length > 0)).toEqual([]);
  });

  it("is impure only where it uses the platform", () => {
    const impure = `import "node:fs"; new Date(); Date.now(); Math.random(); fetch(url); crypto.randomUUID();`;
    expect(impurities(impure)).toEqual([
      '"node:fs"',
      "new Date()",
      "Date.now",
      "Math.random",
      "fetch",
      "crypto.randomUUID",
    ]);
    expect(impurities(`new Date(time); Math.floor(1); port.fetch(); ({ process: 1 }); crypto.subtle;`)).toEqual([]);
  });

  it("casts at most three times in a thousand lines", () => {
    let casts = 0;
    let lines = 0;
    for (const file of glob(["{app,lib,graphs}/**/*.{ts,tsx}"])) {
      lines += read(file).split("\n").length;
      visit(read(file), (node) => {
        if (ts.isAsExpression(node) && node.type.getText() !== "const") casts += 1;
      });
    }
    expect((casts * 1000) / lines).toBeLessThanOrEqual(3);
  });

  it("for browsers imports no code of the server, directly or indirectly", () => {
    const clients = glob(["app/**/*.{ts,tsx}", "lib/client/**/*.ts"]).filter((file) =>
      /^["']use client["']/.test(read(file)),
    );
    expect(clients.length).toBeGreaterThan(50);
    const reached = new Set<string>();
    const waiting = [...clients];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      // A module with "use server" runs only on the server. The browser receives nothing of it but names.
      if (!/^["']use server["']/.test(read(file))) waiting.push(...importsOf(file));
    }
    expect([...reached].filter((file) => /^lib\/(?!(client|rules|protocol)\/)/.test(file))).toEqual([]);
  });

  it("is followed only through imports of values", () => {
    const clients = importsOf("app/(console)/_shell/session.ts");
    expect(clients).toContain("lib/platform.ts");
    expect(importsOf("app/(console)/_shell/deployment.ts")).not.toContain("lib/engine/ports/ports.ts");
  });
});

/** Returns the files of this repository from which a file imports values. */
function importsOf(file: string): string[] {
  const found: string[] = [];
  visit(read(file), (node) => {
    const isType = ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const from = isImport && !isType ? node.moduleSpecifier : isLoading(node) ? node.arguments[0] : undefined;
    if (!from || !ts.isStringLiteral(from)) return;
    if (from.text.startsWith("#")) found.push(from.text.slice(1));
    else if (from.text.startsWith(".")) found.push(join(dirname(file), from.text));
  });
  return found.filter((path) => /\.tsx?$/.test(path));
}

function isLoading(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

describe("documents", () => {
  it.each(DOCS)("%s names only scripts that exist", (file) => {
    const named = [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !packageJson.scripts[name])).toEqual([]);
  });
});

describe("packages", () => {
  const FREE =
    /\b(MIT|ISC|Apache-2\.0|0BSD|BSD-[23]-Clause|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|MPL-2\.0|OFL-1\.1|Python-2\.0|LGPL-3\.0-or-later)\b/;

  it("are pinned to one version", () => {
    const required = Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies });
    expect(required.filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("have licences that let everyone use the product", () => {
    // Packages that .ci/lock.mjs adds for other platforms state no licence. They are parts of one that is checked here.
    const shipped = Object.entries(lock.packages).filter(([path, { dev, license }]) => path && !dev && license);
    expect(shipped.length).toBeGreaterThan(100);
    expect(shipped.filter(([, { license = "" }]) => !FREE.test(license))).toEqual([]);
  });

  it("are locked for every platform, as `npm ci` requires", () => {
    const optional = Object.values(lock.packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
    const has = (name: string) => Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`));
    expect(optional.filter((name) => !has(name))).toEqual([]);
  });

  it("come from the public registry", () => {
    const from = Object.values(lock.packages).flatMap(({ resolved }) => resolved ?? []);
    expect(from.filter((url) => !url.startsWith("https://registry.npmjs.org/"))).toEqual([]);
  });
});

describe.skipIf(!existsSync(join(ROOT, ".git")))("commits", () => {
  it("are conventional, with a subject of at most 72 characters", () => {
    const subjects = execFileSync("git", ["log", "--no-merges", "--format=%s"], { cwd: ROOT, encoding: "utf8" })
      .trim()
      .split("\n");
    const conventional =
      /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([\w/.-]+\))?!?: \S.*[^.\s]$/;
    expect(subjects.filter((subject) => subject.length > 72 || !conventional.test(subject))).toEqual([]);
  });
});
