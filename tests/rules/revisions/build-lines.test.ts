import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogLine } from "../../../lib/protocol/revisions.ts";
import { createProgressFold, foldProgress, toneOf } from "../../../lib/rules/revisions/build-lines.ts";

const line = (id: number, text: string, more: Partial<LogLine> = {}): LogLine => ({
  id,
  at: "2026-01-01T00:00:00.000Z",
  step: "cloning",
  stream: "err",
  text,
  ...more,
});
const log = (...texts: string[]): LogLine[] => texts.map((text, id) => line(id, text));
const folded = (...texts: string[]): string[] => foldProgress(log(...texts)).map(({ text }) => text);

describe("progress", () => {
  test("of git is one line per operation, with the last of its updates", () => {
    expect(
      folded(
        "Fetching main from github.com/acme/bot",
        "remote: Counting objects:  50% (1/2)",
        "remote: Counting objects: 100% (2/2), done.",
        "Receiving objects:   1% (1/100)",
        "Receiving objects:  40% (40/100), 1.20 MiB | 2.31 MiB/s",
        "Receiving objects: 100% (100/100), 3.01 MiB | 2.40 MiB/s, done.",
        "Resolving deltas: 100% (9/9), done.",
        "The submodule docs is left empty",
      ),
    ).toEqual([
      "Fetching main from github.com/acme/bot",
      "remote: Counting objects: 100% (2/2), done.",
      "Receiving objects: 100% (100/100), 3.01 MiB | 2.40 MiB/s, done.",
      "Resolving deltas: 100% (9/9), done.",
      "The submodule docs is left empty",
    ]);
  });

  test("of pnpm, which reports several operations at a time, is one line for each", () => {
    expect(
      folded(
        "Progress: resolved 1, reused 0, downloaded 0, added 0",
        "Downloading next@16.2.7: 1.05 MB/30.1 MB",
        "Progress: resolved 90, reused 2, downloaded 30, added 0",
        "Downloading next@16.2.7: 30.1 MB/30.1 MB, done",
        "Progress: resolved 90, reused 2, downloaded 88, added 90, done",
        "Done in 3s",
        "Progress: resolved 1, reused 0, downloaded 0, added 0",
      ),
    ).toEqual([
      "Progress: resolved 90, reused 2, downloaded 88, added 90, done",
      "Downloading next@16.2.7: 30.1 MB/30.1 MB, done",
      "Done in 3s",
      "Progress: resolved 1, reused 0, downloaded 0, added 0",
    ]);
  });

  test("keeps the id of its first line, so that it stays one line while it changes", () => {
    expect(foldProgress(log("a", "x: 1%", "x: 2%", "x: 3%"))).toEqual([line(0, "a"), line(1, "x: 3%")]);
  });

  test("in a server's log is not folded", () => {
    const lines = log("x: 1%", "x: 2%").map((one) => ({ ...one, step: undefined }));
    expect(foldProgress(lines)).toBe(lines);
  });

  const text = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom("Receiving objects: ", "Building", "\u001B[32mx\u001B[0m:"), fc.nat(100))
      .map(([name, percent]) => `${name} ${percent}%`),
    fc.constantFrom("Progress: resolved 1, reused 0", "Downloading a: 1 kB/2 kB", "error: no"),
  );
  const lines = fc
    .array(fc.tuple(text, fc.constantFrom<LogLine["step"]>("cloning", "installing", undefined)))
    .map((all) => all.map(([one, step], id) => line(id, one, { step })));

  test("of any lines has no new line, keeps the order of all others, and does not change when folded again", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const result = foldProgress(all);
        const isTick = (one: LogLine) => one.step !== undefined && createProgressFold().add(one).length === 0;
        const others = all.filter((one) => !isTick(one));
        expect(result.filter((one) => !isTick(one))).toEqual(others);
        for (const one of result) expect(all.some(({ text: own }) => own === one.text)).toBe(true);
        expect(new Set(result.map(({ id }) => id)).size).toBe(result.length);
        expect(foldProgress(result)).toEqual(result);
        const last = all.at(-1);
        if (last) expect(result.some(({ text: own }) => own === last.text)).toBe(true);
      }),
    );
  });
});

describe("an error stands out", () => {
  test.each<[string, Partial<LogLine>]>([
    ["fatal: repository not found", {}],
    ["npm error code E404", { step: "installing" }],
    [" ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/x: Not Found - 404", { step: "installing", stream: "out" }],
    ["➤ YN0035: │ x@npm:1.0.0: Package not found", { step: "installing", stream: "out" }],
    ['Install failed: There is no package "x"', { step: "installing" }],
    ['Code does not compile: Unexpected ";".', { step: "building" }],
    ["error  graphlib.json:3:5  graphs.agent is no path.", { step: "validating", stream: "us" }],
    ["whatever an application says there", { step: undefined }],
  ])("%s", (text, more) => {
    expect(toneOf(line(0, text, more))).toBe("error");
  });

  test.each<[string, Partial<LogLine>, string]>([
    ["Receiving objects: 100% (3/3), done.", {}, "plain"],
    ["npm warn deprecated x@1.0.0", { step: "installing" }, "plain"],
    ["added 3 packages, 0 errors", { step: "installing", stream: "out" }, "plain"],
    ["➤ YN0000: · Done", { step: "installing", stream: "out" }, "plain"],
    ["warning  package.json  No lockfile found.", { step: "validating", stream: "us" }, "warning"],
    ["Live after 3 s", { stream: "us" }, "ours"],
    ["an error that is printed by the application", { step: undefined, stream: "out" }, "plain"],
  ])("and not %s", (text, more, tone) => {
    expect(toneOf(line(0, text, more))).toBe(tone);
  });
});
