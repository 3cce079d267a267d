import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { LIB, newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";

afterAll(removeFolders);

/** JSON may begin with spaces. These are more than a pipe holds, so the write ends only once the process reads. */
const SPACES = " ".repeat(4 * 1024 * 1024);

function order(): object {
  const root = newFolder();
  writeFiles(root, { "graph.ts": "export const graph: number = 1;\n" });
  return { root, folder: root, entries: ["graph.ts"], paths: { graph: "graph.ts:graph" } };
}

test.each(["compile.ts", "read-types.ts"])("%s waits for an order that comes in pieces", async (program) => {
  const child = spawn(process.execPath, [join(LIB, "worker", program)]);
  const closed = once(child, "close");
  const answer = Promise.all([text(child.stdout), text(child.stderr)]);
  // A process that has ended too early is recognised by its exit code.
  child.stdin.on("error", () => undefined);
  await new Promise((taken) => child.stdin.write(SPACES, taken));
  for (let piece = 0; piece < 50; piece++) {
    await sleep(1);
    child.stdin.write(" ");
  }
  child.stdin.end(JSON.stringify(order()));
  const [code] = (await closed) as [number];
  const [report, errors] = await answer;
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(Object.keys(JSON.parse(report) as object)).not.toEqual([]);
});
