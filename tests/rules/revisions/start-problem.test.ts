import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { heapIsFull, residentLimit, watchResident } from "../../../lib/rules/workers/resident-memory.ts";
import { loadProblem, MEMORY_SETTING, startProblem } from "../../../lib/rules/revisions/start-problem.ts";

const messageOf = (reason: string, ...output: string[]) => startProblem(reason, output).message;

describe("code that does not start", () => {
  test("is described by the exception that ended it, without its stack", () => {
    const output = [
      "loading",
      "Uncaught exception in the application: Error: listen EADDRINUSE: address already in use 127.0.0.1:2024",
      "    at Server.setupListenHandle [as _listen2] (node:net:1940:16)",
      "  code: 'EADDRINUSE',",
      "}",
    ];
    expect(messageOf("exit code 1", ...output)).toBe(
      "The code does not start: its process ended with exit code 1 while it loaded. It printed: " +
        "Error: listen EADDRINUSE: address already in use 127.0.0.1:2024",
    );
  });

  test("is described by its last line, or by the exit alone", () => {
    expect(
      messageOf("exit code 3", "starts", "\u001B[31mDATABASE_URL is not set\u001B[0m", "", "Node.js v24.1.0"),
    ).toBe(
      "The code does not start: its process ended with exit code 3 while it loaded. It printed: DATABASE_URL is not set",
    );
    expect(messageOf("signal SIGKILL")).toBe(
      "The code does not start: its process ended with signal SIGKILL while it loaded",
    );
  });

  test("and takes too much memory or time has a fix for that", () => {
    const watch = watchResident(128);
    const reasons = [1, 2, 3].map(() => watch(residentLimit(128) + 1));
    expect(reasons.slice(0, 2)).toEqual([undefined, undefined]);
    for (const reason of [heapIsFull(128), reasons[2] ?? ""]) {
      expect(startProblem(reason, ["<--- Last few GCs --->"])).toMatchObject({
        message: expect.stringMatching(/memory.* 128 MB/),
        fix: expect.stringContaining(`raise ${MEMORY_SETTING} in the deployment's settings`),
      });
    }
    expect(startProblem("its graphs did not load within 60 s", []).fix).toContain("loop without an end");
  });

  test("is described in one line of limited length, whatever it printed", () => {
    const text = fc.string({ unit: "binary" }).map((line) => line.replaceAll("\n", ""));
    fc.assert(
      fc.property(fc.string(), fc.array(text), (reason, output) => {
        const { message, fix } = startProblem(reason, output);
        expect(message.length).toBeLessThan(reason.length + 450);
        expect(message.startsWith("The code does not start: ")).toBe(true);
        expect(fix).toMatch(/deploy again/);
      }),
    );
  });
});

test("a graph that does not load is described with the package that it misses", () => {
  const error = { error: "Error", message: "Cannot find package 'left-pad' imported from graph.mjs" };
  expect(loadProblem("agent", error)).toEqual({
    message: `Graph "agent" does not load: Error: ${error.message}`,
    file: "graph.mjs",
    fix: 'List "left-pad" in package.json, then deploy again.',
  });
  const between = { error: "SyntaxError", message: '@a/b@1.0.0 imports "x" from c@2.0.0, which does not export it' };
  expect(loadProblem("agent", between)).toEqual({
    message: `Graph "agent" does not load: SyntaxError: ${between.message}`,
    fix: "Use compatible versions of them in package.json, update the lockfile, then deploy again.",
  });
  expect(loadProblem("agent", { error: "TypeError", message: "no" }).fix).toContain("Fix the graph's code");
});
