import { expect, test } from "vitest";
import { unexpectedErrors } from "../support/server-errors.ts";

const LINES = [
  "[graphlib] run could not be executed Error: first",
  "    at execute (lib/engine/runs/execute.ts:1:1) {",
  "  code: 'X',",
  "}",
  "[app] Graph failing failed: RangeError: kaput",
  "    at graphs.mjs:1:1",
  "[app] Unhandled rejection in the application: TypeError: nobody waits",
  "[app]     at graphs.mjs:2:2",
  "(node:7) MaxListenersExceededWarning: a leak",
  "",
].join("\n");

test("errors of the server are found with all their lines, and failures of its application are none of them", () => {
  expect(unexpectedErrors(LINES, [])).toEqual([
    "[graphlib] run could not be executed Error: first\n    at execute (lib/engine/runs/execute.ts:1:1) {\n  code: 'X',\n}",
    "[app] Unhandled rejection in the application: TypeError: nobody waits\n[app]     at graphs.mjs:2:2",
    "(node:7) MaxListenersExceededWarning: a leak",
  ]);
});

test("an error that is expected, by any of its lines, is left out", () => {
  expect(unexpectedErrors(LINES, [/code: 'X'/, /^\[app\] Unhandled/, /MaxListeners/])).toEqual([]);
});
