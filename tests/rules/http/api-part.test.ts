import { expect, test } from "vitest";
import { HttpConfig } from "../../../lib/protocol/http-config.ts";
import { operations } from "../../../lib/protocol/operations.ts";
import { isSwitchedOff } from "../../../lib/rules/http/api-part.ts";

const paths = [...new Set(Object.values(operations).map(({ path }) => path))];
const off = (switches: object): string[] => paths.filter((path) => isSwitchedOff(HttpConfig.parse(switches), path));

test("nothing is off by default", () => {
  expect(off({})).toEqual([]);
  expect(paths.filter((path) => isSwitchedOff(undefined, path))).toEqual([]);
});

test("runs of threads go with runs, not with threads", () => {
  const [runs, threads] = [off({ disable_runs: true }), off({ disable_threads: true })];
  expect(runs).toEqual(expect.arrayContaining(["/runs/stream", "/threads/[thread_id]/runs/[run_id]"]));
  expect(threads).toEqual(expect.arrayContaining(["/threads", "/threads/[thread_id]/state"]));
  expect(runs.filter((path) => threads.includes(path))).toEqual([]);
  for (const path of ["/threads/[thread_id]/commands", "/threads/[thread_id]/stream/events"])
    expect(isSwitchedOff(HttpConfig.parse({ disable_runs: true }), path)).toBe(true);
});

test("/ok stays on, whatever is off", () => {
  const all = ["assistants", "threads", "runs", "store", "meta", "a2a", "mcp", "ui", "webhooks"];
  const left = new Set<string>(paths);
  for (const path of off(Object.fromEntries(all.map((part) => [`disable_${part}`, true])))) left.delete(path);
  expect([...left]).toEqual(["/ok"]);
});
