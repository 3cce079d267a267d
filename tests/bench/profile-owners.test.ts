import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CpuProfile, ownerOf, timeByOwner } from "./profile-owners.ts";

const ROOT = "/srv/a b";
const OURS = "file:///srv/a%20b";

describe("the owner of a script", () => {
  it.each([
    [`${OURS}/node_modules/kysely/dist/index.js`, "kysely"],
    [`${OURS}/node_modules/@langchain/core/dist/runnables/base.js`, "@langchain/core"],
    [`${OURS}/node_modules/next/node_modules/zod/v4/core.js`, "zod"],
    ["file:///elsewhere/node_modules/@scope/name/index.js", "@scope/name"],
    [`${OURS}/lib/drivers/sql/runs.ts`, "lib/drivers/sql"],
    [`${OURS}/lib/protocol/sse.ts`, "lib/protocol"],
    [`${OURS}/lib/server.ts`, "lib"],
    [`${OURS}/app/(api)/agents/%5Bdeployment%5D/ok/route.ts`, "app/(api)/agents"],
    [`${OURS}/instrumentation.ts`, "the root folder"],
    ["file:///srv/a%20bc/lib/server.ts", "other scripts"],
    ["node:internal/streams/readable", "Node.js"],
    ["wasm://wasm/1234", "other scripts"],
    ["evalmachine.<anonymous> %", "other scripts"],
  ])("%s is %s", (url, owner) => {
    expect(ownerOf(url, ROOT)).toBe(owner);
  });
});

const call = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

const nodes: CpuProfile["nodes"] = [
  call(1, "(root)", "", [2, 3, 4, 5]),
  call(2, "(idle)", ""),
  call(3, "(program)", ""),
  call(4, "(garbage collector)", ""),
  call(5, "commit", `${OURS}/lib/drivers/sql/runs.ts`, [6, 8]),
  call(6, "execute", `${OURS}/node_modules/kysely/dist/index.js`, [7]),
  call(7, "run", "", [9]),
  call(8, "stringify", ""),
  call(9, "toJSON", `${OURS}/lib/protocol/json.ts`),
];

describe("the self time of owners", () => {
  it("separates waiting, garbage collection and native code from functions", () => {
    const samples = [2, 3, 4, 5, 6, 7, 8, 9];
    const timeDeltas = [1_000, 1, 2, 4, 8, 16, 32, 64];
    expect(Object.fromEntries(timeByOwner({ nodes, samples, timeDeltas }, ROOT))).toEqual({
      idle: 1,
      "native code outside of functions": 2,
      "garbage collector": 4,
      "lib/drivers/sql": 8,
      kysely: 16,
      "native, called by kysely": 32,
      "native, called by lib/drivers/sql": 64,
      "lib/protocol": 0,
    });
  });

  it("adds up to the time from the first sample to the last", () => {
    const ids = fc.integer({ min: 1, max: 9 });
    const taken = fc.array(fc.tuple(ids, fc.nat(10_000)), { minLength: 1 });
    fc.assert(
      fc.property(taken, (list) => {
        const [samples, timeDeltas] = [list.map(([id]) => id), list.map(([, delta]) => delta)];
        const sum = [...timeByOwner({ nodes, samples, timeDeltas }, ROOT).values()].reduce((a, b) => a + b, 0);
        expect(sum).toBe(timeDeltas.slice(1).reduce((a, b) => a + b, 0));
      }),
    );
  });
});
