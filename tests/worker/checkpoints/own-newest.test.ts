import fc from "fast-check";
import { expect, it } from "vitest";
import type { CheckpointWrite } from "../../../lib/protocol/checkpoints.ts";
import type { Head } from "../../../lib/worker/checkpoints/heads.ts";
import { type OwnNewest, ownNewest } from "../../../lib/worker/checkpoints/own-newest.ts";

const SCOPES = ["", "child"].map((ns) => ({ thread: "t", ns }));

const headAt = (scope: number, id: number): Head => ({
  ...(SCOPES[scope] ?? expect.unreachable()),
  id: `id-${String(id).padStart(3, "0")}`,
  checkpoint: "{}",
  metadata: "{}",
  versions: new Map(),
  values: new Map(),
});

const write = fc.record({
  task: fc.constantFrom("a", "b"),
  index: fc.constantFrom(-4, -1, 0, 1),
  channel: fc.constant("c"),
  type: fc.constant("json"),
  data: fc.string({ maxLength: 3 }),
});
const at = { scope: fc.nat(1), id: fc.nat(8) };
const step = fc.oneof(
  fc.record({ do: fc.constant("put" as const), ...at }),
  fc.record({ do: fc.constant("write" as const), ...at, writes: fc.array(write, { maxLength: 4 }) }),
);

/** Keeps all checkpoints and writes, as the host's database does. */
function database() {
  const puts = SCOPES.map(() => new Set<string>());
  const writes = new Map<string, CheckpointWrite>();
  return {
    has: (scope: number, { id }: Head) => puts[scope]?.has(id) === true,
    latest: (scope: number, nth: number) => [...(puts[scope] ?? [])].toReversed()[nth],
    put: (scope: number, { id }: Head) => void puts[scope]?.add(id),
    write(scope: number, { id }: Head, given: readonly CheckpointWrite[]) {
      for (const one of given) {
        const key = JSON.stringify([scope, id, one.task, one.index]);
        if (one.index < 0 || !writes.has(key)) writes.set(key, one);
      }
    },
    newest(scope: number) {
      const id = [...(puts[scope] ?? [])].toSorted().at(-1);
      if (id === undefined) return undefined;
      const own = [...writes].filter(([key]) => key.startsWith(JSON.stringify([scope, id]).slice(0, -1)));
      return {
        id,
        writes: own
          .map(([, one]) => one)
          .toSorted((a, b) => (a.task === b.task ? a.index - b.index : a.task < b.task ? -1 : 1)),
      };
    },
  };
}

it("is what the host would return, whatever is put and written in which order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const newest = ownNewest();
      const stored = database();
      for (const one of steps) {
        const head = headAt(one.scope, one.id);
        if (one.do === "put") {
          if (stored.has(one.scope, head)) newest.putAgain(head);
          else newest.put(head);
          stored.put(one.scope, head);
        } else {
          newest.write(head, head.id, one.writes);
          stored.write(one.scope, head, one.writes);
        }
        for (const [scope, place] of SCOPES.entries()) {
          const own = newest.get(place, undefined);
          expect(own && { id: own.head.id, writes: own.writes }).toEqual(stored.newest(scope));
        }
      }
    }),
    { numRuns: 500 },
  );
});

it("never answers otherwise than the host, whatever it has forgotten", () => {
  const either = fc.oneof(step, fc.record({ do: fc.constant("forget" as const), ...at }));
  fc.assert(
    fc.property(fc.array(either, { maxLength: 40 }), (steps) => {
      const newest = ownNewest();
      const stored = database();
      for (const [time, one] of steps.entries()) {
        const old = stored.latest(one.scope, one.id);
        // A checkpoint that was not there has a greater id than all others.
        const head = old === undefined || one.id > 5 ? headAt(one.scope, time) : { ...headAt(one.scope, 0), id: old };
        if (one.do === "forget") newest.forget(head);
        else if (one.do === "write") {
          newest.write(head, head.id, one.writes);
          stored.write(one.scope, head, one.writes);
        } else {
          if (stored.has(one.scope, head)) newest.putAgain(head);
          else newest.put(head);
          stored.put(one.scope, head);
        }
        const own = newest.get(head, undefined);
        if (own) expect({ id: own.head.id, writes: own.writes }).toEqual(stored.newest(one.scope));
      }
    }),
    { numRuns: 500 },
  );
});

it("begins with what the host has returned, and is known by its own id alone", () => {
  const newest = ownNewest();
  const head = headAt(0, 5);
  const one: CheckpointWrite = { task: "a", index: 0, channel: "c", type: "json", data: "1" };
  newest.read(head, [one]);
  newest.write(head, head.id, [
    { ...one, data: "2" },
    { ...one, index: 1 },
  ]);
  expect(newest.get(head, undefined)).toEqual({ head, writes: [one, { ...one, index: 1 }] });
  expect(newest.get(head, head.id)?.head).toBe(head);
  expect(newest.get(head, "another")).toBeUndefined();
  expect(newest.get(headAt(1, 5), undefined)).toBeUndefined();
  newest.forget(head);
  expect(newest.get(head, undefined)).toBeUndefined();
});

it("holds the newest checkpoints of a bounded number of scopes", () => {
  const newest = ownNewest();
  const place = (n: number) => ({ ...headAt(0, 1), ns: String(n) });
  for (let n = 0; n < 300; n++) newest.put(place(n));
  expect(newest.get(place(0), undefined)).toBeUndefined();
  expect(newest.get(place(299), undefined)).toBeDefined();
});

it.each<[string, (newest: OwnNewest) => void]>([
  ["is read", (newest) => newest.read(headAt(0, 1), [])],
  ["is put", (newest) => newest.put(headAt(1, 1))],
  ["gets writes", (newest) => newest.write(headAt(0, 1), "id", [])],
  ["is put elsewhere", (newest) => newest.forget({ thread: "other", ns: "" })],
  ["is deleted", (newest) => newest.forgetAll()],
])("knows what the run's order said until a checkpoint %s", (_title, change) => {
  for (const head of ["id-000", null]) {
    const newest = ownNewest(head);
    newest.get(headAt(0, 1), undefined);
    expect(newest.ordered()).toBe(head);
    change(newest);
    expect(newest.ordered()).toBeUndefined();
  }
});
