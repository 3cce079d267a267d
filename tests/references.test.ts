/** Checks that files, sections and decision records that comments and Markdown pages name exist. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const LEFT_BY_RUNS = new Set(["node_modules", ".git", ".next", ".graphlib", "test-results"]);

const glob = (patterns: string[]): string[] =>
  globSync(patterns, { cwd: ROOT }).filter((file) => !/(^|\/)node_modules\//.test(file));
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const foldersIn = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

const SOURCES = glob([
  "{app,lib,graphs,tests}/**/*.{ts,tsx,mjs,js,css,sh,py}",
  "*.{ts,js,mjs}",
  ".dependency-cruiser.cjs",
  ".ci/*",
]);
const PAGES = glob(["*.md", "docs/**/*.md"]);

const TOP = new Set(readdirSync(ROOT).filter((name) => !LEFT_BY_RUNS.has(name)));
/** Folders of `lib`. Comments also name files from there on: `rules/http/front` is `lib/rules/http/front.ts`. */
const FLOORS = new Set(foldersIn("lib"));
const NAMES = new Set([...SOURCES, ...PAGES].map((file) => basename(file)));
const RECORDS = glob(["docs/decisions/*.md"]).map((file) => basename(file));

/** Returns the comments of a source without its code. */
function commentsOf(file: string, text: string): string {
  const isScript = [".sh", ".py"].includes(extname(file)) || extname(file) === "";
  const comment = isScript ? /(?:^|\s)#.*/gm : /^\s*\/?\*.*|(?:^|\s)\/\/\s.*/gm;
  return (text.match(comment) ?? []).join("\n");
}

const withoutUrls = (text: string): string => text.replaceAll(/[a-z]+:\/\/\S+/g, "");

/** Expands `a/{b,c}` to two paths. */
function expand(path: string): string[] {
  const [, before = "", choices = "", after = ""] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  return choices ? choices.split(",").flatMap((choice) => expand(`${before}${choice}${after}`)) : [path];
}

/** Returns whether a path exists. `engine/runs/runs.startRun` is a function of `engine/runs/runs.ts`. */
function isPath(path: string): boolean {
  const whole = [
    path,
    `${path}.ts`,
    `${path}.tsx`,
    `${path.replace(/\.(?!(?:[cm]?[jt]sx?|md|py|sh|css)$)[a-z][a-zA-Z]+$/, "")}.ts`,
  ];
  return whole.some((one) => (one.includes("*") ? glob([one]).length > 0 : existsSync(join(ROOT, one))));
}

/**
 * Returns whether a path names something of this repository, seen from the root, from `lib`, or from the naming file.
 */
function isThere(written: string, file: string): boolean {
  const path = written.replace(/\/?…$/, "");
  return expand(path).every((one) => [one, join("lib", one), join(dirname(file), one)].some(isPath));
}

const SEGMENT = String.raw`(?:[\w.*-]|\([a-z]+\)|\[+[\w.]+\]+|\{[\w./,-]+\})+`;
const PATH = new RegExp(String.raw`(?<![\w@./:~$<>{}[\]…-])(?:${SEGMENT}/)+(?:${SEGMENT}|…)?`, "g");
const FILE = /(?<![\w@./:~$<>*)\]}-])[\w-][\w.-]*\.(?:ts|tsx|mjs|md|py|sh|css)\b(?!\/)/g;
/** Matches files of example applications. */
const EXAMPLE = /^(?:\.\/|src\/|\.\.\/my-)/;

/** Returns paths and names of files in prose. A path in backticks may have only two segments. */
function pathsIn(text: string): string[] {
  const plain = withoutUrls(text);
  const ticked = new Set(Array.from(plain.matchAll(/`([^`\s]+)`/g), ([, one = ""]) => one.replace(/[:#].*$/, "")));
  const found = [...plain.matchAll(PATH)].map(([path]) => path.replace(/[./]+$/, ""));
  const paths = found.filter((path) => {
    const [head = ""] = path.split("/");
    if (path.includes("node_modules") || EXAMPLE.test(path)) return false;
    if (TOP.has(head) || isFileName(path)) return path.includes("/");
    // A plain "client/server" is no path. Three segments or backticks make it one.
    return FLOORS.has(head) && (ticked.has(path) || path.split("/").length > 2);
  });
  return [...paths, ...[...plain.matchAll(FILE)].map(([name]) => name).filter((name) => !EXAMPLE.test(name))];
}

const isFileName = (path: string): boolean => /\.(?:ts|tsx|mjs|md|py|sh|css)$/.test(path) && !path.includes("*");

function missingPaths(file: string, text: string): string[] {
  return pathsIn(text).filter((path) => (path.includes("/") ? !isThere(path, file) : !NAMES.has(path)));
}

/** Returns the sections of a page, as links name them. */
function sectionsOf(page: string): Set<string> {
  const titles = Array.from(read(page).matchAll(/^#+ (.+)$/gm), ([, title = ""]) => title.toLowerCase());
  return new Set(titles.map((title) => title.replaceAll(/[^\w\s-]/g, "").replaceAll(" ", "-")));
}

/** Checks references such as `docs/api/runs.md#webhooks`, and the links of a page. */
function missingSections(file: string, text: string): string[] {
  const named = [...text.matchAll(/\b(docs\/[\w/.-]+\.md)#([\w-]+)/g)].map(([, page = "", section = ""]) => [
    page,
    section,
  ]);
  const linked = [...text.matchAll(/\]\(([^)\s:#]*)(?:#([\w-]+))?\)/g)].map(([, target = "", section = ""]) => [
    target === "" ? file : join(dirname(file), target),
    section,
  ]);
  return [...named, ...(file.endsWith(".md") ? linked : [])]
    .filter(
      ([page = "", section = ""]) =>
        !existsSync(join(ROOT, page)) || (section !== "" && !sectionsOf(page).has(section)),
    )
    .map((one) => one.join("#"));
}

/** Checks references such as "decision 027", "decisions 035 to 042" and "(027, 035)". */
function missingRecords(text: string): string[] {
  const lists = text.matchAll(/\bdecisions? ((?:\d+(?:, | and | to )?)+)|\((0\d\d(?:, 0\d\d)*)\)/gi);
  const numbers = [...lists].flatMap(([, named, bare]) => (named ?? bare ?? "").match(/\d+/g) ?? []);
  return numbers.filter((number) => !RECORDS.some((record) => record.startsWith(`${number.padStart(3, "0")}-`)));
}

describe("references are found as", () => {
  const file = "lib/server.ts";

  it.each([
    ["see `rules/http/front` and lib/rules/http/address.ts", []],
    ["`app/(api)/agents/[deployment]/ok/route.ts`, lib/{server,env}.ts and lib/protocol/*.ts", []],
    ["https://example.com/lib/nowhere.ts, client/server, ./src/agent.ts, drivers/sql/…", []],
    [
      "see `rules/nowhere`, lib/old.ts (spec/runs.md), old.ts",
      ["rules/nowhere", "lib/old.ts", "spec/runs.md", "old.ts"],
    ],
    ["lib/nowhere/*.ts, rules/http/nowhere", ["lib/nowhere/*.ts", "rules/http/nowhere"]],
  ])("paths of: %s", (text, missing) => {
    expect(missingPaths(file, text)).toEqual(missing);
  });

  it("sections and decision records", () => {
    expect(missingSections(file, "docs/api/runs.md#webhooks docs/api/runs.md#nowhere")).toEqual([
      "docs/api/runs.md#nowhere",
    ]);
    expect(missingSections("docs/api/README.md", "[a](runs.md#webhooks) [b](#errors) [c](no.md)")).toEqual([
      "docs/api/no.md#",
    ]);
    expect(missingRecords("decision 27, decisions 035 to 942, (027, 038), (041) and 1 (2)")).toEqual(["942"]);
  });

  it("comments, not code", () => {
    expect(commentsOf("a.ts", `const a = "b.ts"; // c\n/** d */\nconst e = 1;`)).not.toMatch(/b\.ts|const e/);
  });
});

describe("references", () => {
  it("in comments have existing targets", () => {
    expect(SOURCES.length).toBeGreaterThan(1_000);
    const missing = SOURCES.map((file): [string, string[]] => {
      const comments = commentsOf(file, read(file));
      return [file, [...missingPaths(file, comments), ...missingSections(file, comments), ...missingRecords(comments)]];
    });
    expect(missing.filter(([, names]) => names.length > 0)).toEqual([]);
  });

  it.each(PAGES)("in %s have existing files, sections and records", (page) => {
    const text = read(page);
    expect([...missingPaths(page, text), ...missingSections(page, text), ...missingRecords(text)]).toEqual([]);
  });
});

describe("decision records", () => {
  it.each(RECORDS)("%s has its number in its title, and shares it with no other", (record) => {
    const [number = ""] = record.split("-");
    const [title = ""] = read(`docs/decisions/${record}`).split("\n", 1);
    expect(title).toMatch(new RegExp(`^# ${Number(number)}\\. \\S`));
    expect(RECORDS.filter((other) => other.startsWith(`${number}-`))).toEqual([record]);
  });
});
