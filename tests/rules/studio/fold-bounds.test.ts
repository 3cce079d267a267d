/** Tests how much the fold keeps of long runs, and that it shares parts that stay. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject } from "../../../lib/protocol/json.ts";
import { foldRunEvent, foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { KeyedList } from "../../../lib/rules/studio/keyed-list.ts";
import { foldTold, saved, started, ended, told } from "./told.ts";

const piece = (id: string, content: string) => [{ id, type: "ai", content }, {}];

describe("a list with keys", () => {
  test("is a map in order of insertion, and never changes", () => {
    const key = fc.oneof(fc.constantFrom("a", "b", "__proto__", ""), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer()), { maxLength: 300 }), (entries) => {
        const map = new Map<string, number>();
        let list = KeyedList.empty<number>();
        for (const [name, value] of entries) {
          const before = [...list];
          const next = list.with(name, value);
          expect([...list].length === before.length && next.get(name) === value).toBe(true);
          map.set(name, value);
          list = next;
        }
        expect([...list]).toEqual([...map.values()]);
        expect(list.size).toBe(map.size);
        expect([...map.keys()].map((name) => list.at(list.indexOf(name)))).toEqual([...map.values()]);
        expect([list.get("never there"), list.at(-1), list.at(list.size)]).toEqual([undefined, undefined, undefined]);
      }),
    );
  });

  test("with the same item is the same list, and of thousands of items each is found", () => {
    const item = {};
    const one = KeyedList.empty<object>().with("a", item);
    expect(one.with("a", item)).toBe(one);
    let list = KeyedList.empty<number>();
    for (let n = 0; n < 5000; n++) list = list.with(`step ${n}`, n);
    for (let n = 0; n < 5000; n += 7) list = list.with(`step ${n}`, -n);
    expect([...list]).toEqual(Array.from({ length: 5000 }, (_none, n) => (n % 7 === 0 ? -n : n)).map((n) => n + 0));
  });
});

describe("of a long run", () => {
  test("a token changes its message's step, and nothing else", () => {
    const before = foldTold(
      ["debug", started("t1", "a", 1)],
      ["debug", ended("t1", "a", 1)],
      ["debug", saved(1, { t2: "b", t3: "c" })],
      ["debug", started("t2", "b", 2)],
      ["messages|b:t2", piece("m1", "he")],
      ["messages|c:t3", piece("m2", "ho")],
    );
    const after = foldRunEvent(before, { id: 6, event: "messages|b:t2", data: piece("m1", "llo") });
    expect(after.steps.get("#2")?.messages.get("m1")?.text).toBe("hello");
    expect(after.steps.get("#2")?.messages.get("m2")).toBe(before.steps.get("#2")?.messages.get("m2"));
    expect(after.steps.get("#1")).toBe(before.steps.get("#1"));
    for (const part of ["tasks", "nodes", "graphs", "moves", "interrupts", "next"] as const) {
      expect(after[part]).toBe(before[part]);
    }
  });

  test("the first and the last custom events of a step are kept", () => {
    const many = Array.from({ length: 1000 }, (_none, n) => ["custom", n] as const);
    const custom = foldTold(...many).steps.at(0)?.custom;
    expect(custom?.first.map(({ data }) => data)).toEqual(Array.from({ length: 50 }, (_none, n) => n));
    expect(custom?.last.map(({ data }) => data)).toEqual(Array.from({ length: 50 }, (_none, n) => 950 + n));
    expect(custom?.leftOut).toBe(900);
    expect(custom?.first.map(({ id }) => id).at(-1)).toBe(49);
  });

  test("a thousand messages of a step are kept, and a million characters of a message", () => {
    const many = Array.from({ length: 1003 }, (_none, n) => ["messages|a:t1", piece(`m${n}`, "x")] as const);
    const step = foldTold(["debug", started("t1", "a", 1)], ...many).steps.get("#1");
    expect([step?.messages.size, step?.messagesLeftOut]).toEqual([1000, 3]);
    const half = "x".repeat(600_000);
    const long = foldTold(
      ["messages|a:t1", piece("m", half)],
      ["messages|a:t1", piece("m", half)],
      ["messages|a:t1", piece("m", "yz")],
    );
    const message = long.steps.at(0)?.messages.get("m");
    expect([message?.text.length, message?.leftOut]).toEqual([1_000_000, 200_002]);
  });

  test("the inputs of the newest 50 tasks are kept where they are large, and all small ones", () => {
    const large = { text: "x".repeat(10_000) };
    const run = foldTold(
      ...Array.from({ length: 60 }, (_none, n) => ["debug", started(`t${n}`, "a", n, { input: large })] as const),
      ...Array.from({ length: 60 }, (_none, n) => ["debug", started(`s${n}`, "a", 100 + n, { input: n })] as const),
    );
    const kept = [...run.tasks].filter(({ input }) => input !== undefined).map(({ id }) => id);
    expect(kept.filter((id) => id.startsWith("t"))).toEqual(Array.from({ length: 50 }, (_none, n) => `t${n + 10}`));
    expect(kept.filter((id) => id.startsWith("s"))).toHaveLength(60);
    expect(run.tasks.get("t0")?.isInputLeftOut).toBe(true);
    expect(run.tasks.get("t59")).not.toHaveProperty("isInputLeftOut");
  });

  test("parts of states that did not change are held once", () => {
    const document = { text: "x".repeat(10_000) };
    const message = (n: number) => ({ id: `m${n}`, type: "human", content: `message ${n}` });
    const state = (n: number) => ({
      n,
      document: structuredClone(document),
      messages: Array.from({ length: n }, (_none, index) => message(index)),
    });
    const list = Array.from({ length: 40 }, (_none, n) => {
      const values = { values: state(n), ...(n === 0 ? { parent_checkpoint: null } : {}) };
      return [
        ["debug", saved(n, { [`t${n}`]: "a" }, values)] as const,
        ["debug", started(`t${n}`, "a", n + 1, { input: state(n) })] as const,
      ];
    });
    const run = foldRunEvents(foldTold(), told(...list.flat()));
    const held = new Set<unknown>();
    const collect = (value: unknown): void => {
      if (typeof value !== "object" || value === null || held.has(value)) return;
      held.add(value);
      for (const one of value instanceof KeyedList ? value : Object.values(value)) collect(one);
    };
    collect(run);
    const objects = [...held].filter(isObject);
    expect(objects.filter(({ text }) => text === document.text)).toHaveLength(1);
    expect(objects.filter(({ id }) => id === "m0")).toHaveLength(1);
    expect(run.steps.get("#7")?.difference).toEqual([
      { kind: "changed", path: ["n"], before: 6, after: 7 },
      { kind: "appended", path: ["messages"], index: 6, items: [message(6)] },
    ]);
  });
});
