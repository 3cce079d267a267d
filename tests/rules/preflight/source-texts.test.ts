/** Texts of a source that are made to keep the server busy. */
import { describe, expect, test } from "vitest";
import { readJsonText } from "../../../lib/rules/text/json-text.ts";
import { isSameYarnLock, readLock } from "../../../lib/rules/packages/lockfile.ts";
import { matchesMembers, workspacePatterns } from "../../../lib/rules/packages/package-home.ts";
import { planVariables } from "../../../lib/rules/preflight/variables.ts";
import { expand } from "../../../lib/rules/packages/registry-settings.ts";
import { expectLinear } from "../../support/growth.ts";

const times =
  (text: string, before = "", after = "") =>
  (length: number) =>
    before + text.repeat(length / text.length) + after;
const lock = (manager: "pnpm" | "yarn" | "bun") => (text: string) => {
  const read = readLock(manager, text, "");
  const [has, version] = [read?.has("is-odd", "tag"), read?.version("is-odd", "^3.0.0")];
  return [read?.has("is-odd", "^3.0.0"), has, read?.installs("is-odd"), version];
};
const version = "importers:\n  .:\n    dependencies:\n      is-odd:\n        version: ";

describe("takes time in proportion to the length", () => {
  test.each<[string, (text: string) => unknown, (length: number) => string]>([
    ["a yarn.lock of heads without end", lock("yarn"), times("a\r")],
    ["a yarn.lock of heads and space", lock("yarn"), times(" ", "a:\n")],
    ["a yarn.lock of names", lock("yarn"), times("a, ", "", ':\n  version "1"')],
    ["a pnpm-lock.yaml of a value that is not one line", lock("pnpm"), times(" ", "a:", "x\u2028")],
    ["a pnpm-lock.yaml of brackets", lock("pnpm"), times("(", version, "\u2028x")],
    ["a bun.lock of a string without end", lock("bun"), times('\\"', '"')],
    ["a bun.lock of backslashes", lock("bun"), times("\\", '"')],
    ["a bun.lock of commas and space", lock("bun"), times(" ,")],
    ["a pnpm-workspace.yaml of space", (text) => workspacePatterns({}, text), times(" ", "packages:\n-", "a\u2028")],
    ["a pnpm-workspace.yaml of brackets", (text) => workspacePatterns({}, text), times("[", "packages: ")],
    [
      "a pnpm-workspace.yaml of comments",
      (text) => workspacePatterns({}, text),
      times(" #", "packages:\n- ", "\u2028"),
    ],
    ["a pattern of slashes", (text) => matchesMembers([text], "a"), times("/", "a", "b")],
    ["a setting of beginnings", (text) => expand(text, {}), times("${")],
    ["a setting of beginnings with an end", (text) => expand(text, {}), times("${", "", ":}")],
    ["a setting of names that are none", (text) => expand(text, {}), times("${a:", "", "}")],
    ["a setting of quotes", (text) => expand(text, {}), times('"', '"', "x")],
    ["places in a JSON text", placesIn, (length) => JSON.stringify(Array(length / 64).fill(1), null, 1)],
    ["names in an example", variablesIn, (length) => Array.from({ length: length / 8 }, (_, n) => `A${n}=`).join("\n")],
  ])("%s", (_, work, make) => expectLinear(work, make, 2 ** 11));

  function placesIn(text: string): unknown {
    const read = readJsonText(text);
    return "value" in read && Array.isArray(read.value) && read.value.map((__, index) => read.at([index]));
  }

  function variablesIn(text: string): unknown {
    const json = readJsonText("{}");
    if (!("value" in json)) return undefined;
    const config = { file: "graphlib.json", text: json, config: { env: [] } as never };
    const values = Object.fromEntries(text.split("\n").map((line) => [line.slice(0, -1), ""]));
    return planVariables({ config, example: { name: ".env.example", text, values }, given: Object.keys(values) });
  }
});

describe("has a bound", () => {
  test("for a JSON text: 100,000 values, or a string of 1,000,000 characters", () => {
    const of = (count: number): string => `[${Array(count).fill("[]").join(",")}]`;
    expect(readJsonText(of(99_999))).toHaveProperty("value");
    expect(readJsonText(of(100_000))).toMatchObject({ problem: "It holds more than 100,000 values" });
    expect(readJsonText(`"${"a".repeat(1_000_000)}"`)).toHaveProperty("value");
  });

  test("for a lockfile that would fill the memory", () => {
    const packages = `{"packages":{"node_modules/a":{"version":"1.0.0"}},"x":[${"[],".repeat(1_100_000)}1]}`;
    expect(readLock("npm", packages, "")).toBeUndefined();
    expect(readLock("bun", packages, "")).toBeUndefined();
    const names = Array.from({ length: 510_000 }, (_, n) => n.toString(36));
    const yarn = `${names.join(", ")}:\n  version "1"\n`;
    expect(readLock("yarn", yarn, "")).toBeUndefined();
    expect([isSameYarnLock(yarn, yarn), isSameYarnLock(yarn, `${yarn}\n`)]).toEqual([true, false]);
    expect(
      readLock("pnpm", `importers:\n  .:\n${names.map((name) => `    a${name}:\n`).join("")}`, ""),
    ).toBeUndefined();
  });

  test("for the names that are searched for in a long lockfile: further ones are undefined", () => {
    const read = readLock("yarn", "x".repeat(2 ** 24), "");
    const results = Array.from({ length: 200 }, (_, n) => read?.installs(`name${n}`));
    expect([results[0], results.at(-1)]).toEqual([false, undefined]);
    expect([read?.installs(""), read?.installs("a".repeat(215))]).toEqual([false, false]);
  });

  test("for the patterns of a workspace: 1,000", () => {
    const many = Array.from({ length: 1_001 }, (_, n) => `p${n}`);
    expect(workspacePatterns({ workspaces: ["a".repeat(4097), ...many] }, undefined)).toEqual(many.slice(0, 1_000));
  });
});
