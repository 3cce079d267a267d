import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createLook } from "../../lib/drivers/builds/compile.ts";
import { createPreflight } from "../../lib/drivers/builds/preflight.ts";
import { fetchedApp, type Files, newFolder, removeFolders } from "../support/built-apps.ts";
import { COMPILER } from "../support/built-packages.ts";

afterAll(removeFolders);

const never = new AbortController().signal;
const graphs = (path: string) => JSON.stringify({ graphs: { agent: path } });
const PACKAGE = JSON.stringify({ dependencies: { "@langchain/langgraph": "1.4.18" } });

describe("a package manager that the server lacks is told before anything is fetched", () => {
  const files = {
    "graphlib.json": graphs("./agent.ts:graph"),
    "agent.ts": "export const graph = 1;\n",
    "package.json": PACKAGE,
  };
  const named = { ...files, "package.json": `{\n  "packageManager": "bun@1.3.0",\n${PACKAGE.slice(1)}` };
  const lookWith = (path: string, written: Files) =>
    createPreflight(createLook(COMPILER), path)(fetchedApp(undefined, written), [], never);
  const about = (report: Awaited<ReturnType<typeof lookWith>>) =>
    report.findings.filter(({ message }) => message.includes("program called"));

  test.each<[string, Files, object]>([
    [
      "by packageManager",
      named,
      { file: "package.json", line: 2, fix: expect.stringMatching(/packageManager name npm\.$/) },
    ],
    [
      "by its lockfile",
      { ...files, "bun.lock": "{}" },
      { file: "bun.lock", fix: expect.stringMatching(/package-lock\.json in place of bun/) },
    ],
  ])("asked for %s", async (_, written, expected) => {
    const report = await lookWith(newFolder(), written);
    expect(report.ok).toBe(false);
    const message = "The packages are installed by bun, and there is no program called bun on this server.";
    expect(about(report)).toMatchObject([{ level: "error", message, ...expected }]);
  });

  test("and one that it has, or that comes from the registry, is not", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "bun"), "#!/bin/sh\n", { mode: 0o755 });
    expect(about(await lookWith(folder, named))).toEqual([]);
    expect(about(await lookWith(newFolder(), { ...files, "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" }))).toEqual([]);
    expect(about(await lookWith(newFolder(), files))).toEqual([]);
  });
});
