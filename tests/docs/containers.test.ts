/** Compares the files for containers with the code that they start. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { DEFAULT_PORT } from "../../lib/env.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const dockerfile = read("Dockerfile");
const composed = ["compose.yaml", "compose.scale.yaml"];

/** Returns the JSON array behind a word of the Dockerfile. */
function listOf(word: string): string[] {
  const [, json = "[]"] = new RegExp(`${word} (\\[.*\\])`).exec(dockerfile) ?? [];
  return JSON.parse(json) as string[];
}

test("the image starts the server as npm start does, with the same Node", () => {
  const [node = "", ...args] = listOf("ENTRYPOINT").slice(2);
  expect(["node", ...args].join(" ")).toBe(packageJson.scripts.start);
  expect(existsSync(join(ROOT, node.replace("/graphlib/", "")))).toBe(true);
  expect(dockerfile).toContain(`ARG NODE=${packageJson.dependencies.node}-`);
  expect(dockerfile).toContain(`PORT=${DEFAULT_PORT}`);
  expect(dockerfile).toContain(`EXPOSE ${DEFAULT_PORT}`);
});

test("the image leaves out nothing that the server needs, and has no files of a developer", () => {
  const ignored = read(".dockerignore").split("\n").filter(Boolean);
  for (const needed of ["app", "lib", "graphs", "graphlib.json", "next.config.js", "instrumentation.ts"])
    expect(ignored).not.toContain(needed);
  for (const own of [".env*", ".git", ".graphlib", "node_modules"]) expect(ignored).toContain(own);
});

test("settings in files for containers are settings of the server", () => {
  const known = new Set(Array.from(read("lib/env.ts").matchAll(/^ {2}([A-Z][A-Z\d_]+): /gm), ([, name]) => name));
  const files = [...composed, ...globSync("deploy/**/*.{yaml,tpl}", { cwd: ROOT })];
  for (const file of files) {
    const set = Array.from(
      read(file).matchAll(/^ *(?:- name: )?"?([A-Z][A-Z\d]*_[A-Z\d_]+)"?(?::|$)/gm),
      ([, name = ""]) => name,
    );
    const unknown = set.filter((name) => !known.has(name) && !name.startsWith("POSTGRES_"));
    expect({ file, unknown }).toEqual({ file, unknown: [] });
  }
});

test("the chart is of the version of the package, and names commands and ports of the image", () => {
  expect(read("deploy/helm/graphlib/Chart.yaml")).toContain(`appVersion: "${packageJson.version}"`);
  const [, command = ""] =
    /command: \["(\/graphlib\/[^"]+)", "migrate"\]/.exec(read("deploy/helm/graphlib/values.yaml")) ?? [];
  expect(existsSync(join(ROOT, command.replace("/graphlib/", "")))).toBe(true);
  expect(read("deploy/helm/graphlib/templates/_helpers.tpl")).toContain(`containerPort: ${DEFAULT_PORT}`);
});

test("a server in compose has more time to end than it may take", () => {
  const grace = 10;
  for (const file of composed) {
    const text = read(file);
    const drain = Number(/GRAPHLIB_DRAIN_SECONDS: (\d+)/.exec(text)?.[1] ?? 0);
    const limits = Array.from(text.matchAll(/stop_grace_period: (\d+)s/g), ([, seconds]) => Number(seconds));
    expect(limits.length).toBeGreaterThan(0);
    for (const limit of limits) expect(limit).toBeGreaterThan(grace + drain + 5);
  }
});
