import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const roots: string[] = [];

function project(scripts: Record<string, string>, files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "graphlib-count-"));
  roots.push(root);
  mkdirSync(join(root, "tests"));
  for (const part of [".ci/run", "tests/support/all.ts"]) cpSync(join(ROOT, part), join(root, part));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  const manifest = JSON.stringify({ name: "tiny", type: "module", scripts });
  for (const [path, text] of Object.entries({ ...files, "package.json": manifest })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function run(command: string, ...args: string[]): { code: number | null; last: string; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: tmpdir(), encoding: "utf8" });
  return { code: status, last: stdout.trimEnd().split("\n").at(-1) ?? "", output: stdout + stderr };
}

const stages = (root: string, ...names: string[]) =>
  run(process.execPath, join(root, "tests/support/all.ts"), ...names);
const CASE = `import { expect, it } from "vitest";`;

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

describe("the count of npm test", () => {
  it("goes on after a failing stage and adds up what every stage reports", () => {
    const root = project(
      { lint: "node -e 0", walls: "echo this is the reason && exit 1" },
      {
        "tests/a.test.ts": `${CASE} it("a", () => expect(1).toBe(1)); it("b", () => expect(1).toBe(1)); it("c", () => expect(1).toBe(2));`,
        "tests/b.test.ts": "this is no TypeScript",
      },
    );
    const { code, last, output } = stages(root, "lint", "walls", "unit");
    expect(output).toContain("this is the reason");
    expect(last).toBe("3 passed, 3 failed");
    expect(code).toBe(1);
  });

  it("ends with 0 when everything passed", () => {
    const root = project({ lint: "node -e 0" }, { "tests/a.test.ts": `${CASE} it("a", () => expect(1).toBe(1));` });
    expect(stages(root, "lint", "unit")).toMatchObject({ code: 0, last: "2 passed, 0 failed" });
  });

  it("takes an error that no test caught for a failure", () => {
    const orphan = `${CASE} it("a", () => { void Promise.reject(new Error("nobody's")); expect(1).toBe(1); });`;
    const root = project({}, { "tests/a.test.ts": orphan });
    expect(stages(root, "unit")).toMatchObject({ code: 1, last: "1 passed, 1 failed" });
  });

  it("takes a stage that crashed or found no test for a failure", () => {
    const crashed = project({}, { "vitest.config.ts": "throw new Error('broken')" });
    expect(stages(crashed, "unit", "browser")).toMatchObject({ code: 1, last: "0 passed, 2 failed" });
  });
});

describe("continuous integration", () => {
  const ci = (scripts: Record<string, string>) => run(join(project(scripts), ".ci/run"));

  it("ends with the count and the exit code of npm test, from any folder and without input", () => {
    expect(ci({ test: "cat && echo 5 passed, 0 failed" })).toMatchObject({ code: 0, last: "5 passed, 0 failed" });
    expect(ci({ test: "echo 5 passed, 2 failed && exit 1" })).toMatchObject({ code: 1, last: "5 passed, 2 failed" });
  });

  it("fails when nothing was counted", () => {
    expect(ci({ pretest: "exit 1", test: "echo 5 passed, 0 failed" })).toMatchObject({
      code: 1,
      last: "0 passed, 1 failed",
    });
    expect(ci({ test: "echo hello" })).toMatchObject({ code: 1, last: "0 passed, 1 failed" });
  });
});
