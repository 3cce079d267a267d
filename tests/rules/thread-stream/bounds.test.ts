/** Events of runs of any size are folded, and the fold keeps a bounded part of them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { END } from "../../../lib/protocol/stream.ts";
import { boundedMap } from "../../../lib/rules/thread-stream/bounded-map.ts";
import { growingTree } from "../../../lib/rules/thread-stream/tree.ts";
import { replay } from "./runs.ts";

test("the newest entries that fit are kept", () => {
  const most = 1_000;
  const change = fc.record({
    key: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
    size: fc.nat(1_100),
    drop: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const map = boundedMap<number>(most);
      let model: { key: string; size: number; value: number }[] = [];
      changes.forEach(({ key, size, drop }, value) => {
        const known = model.find((one) => one.key === key)?.value;
        expect(map.get(key)).toBe(known);
        model = model.filter((one) => one.key !== key);
        if (drop) {
          expect(map.delete(key)).toBe(known);
          return;
        }
        const cost = 128 + 1 + size;
        const gone: number[] = [];
        if (cost > most) gone.push(value);
        else {
          model.push({ key, size: cost, value });
          while (model.reduce((sum, one) => sum + one.size, 0) > most) gone.push(model.shift()?.value ?? -1);
        }
        expect(map.set(key, value, size)).toEqual(gone);
      });
      expect(map.values()).toEqual(model.map(({ value }) => value));
    }),
  );
});

const MB = 1024 * 1024;
const json = (value: unknown): string => JSON.stringify(value);
const end = (id: number) => ({ id, event: END, data: json({ status: "success" }) });
const kindOf = (data: string): unknown => (JSON.parse(data) as { event?: unknown }).event;

test("messages that are never finished are finished by the fold, the oldest first, each once", () => {
  const text = "x".repeat(MB);
  const chunk = (n: number) => ({ type: "AIMessageChunk", id: `run-${n}`, content: text });
  const all = Array.from({ length: 40 }, (_, id) => ({ id, event: "messages", data: json([chunk(id), {}]) }));
  const emitted = replay(all).filter(({ data }) => kindOf(data) === "message-finish");
  expect(emitted.map(({ data }) => (JSON.parse(data) as { run_id: string }).run_id)).toEqual(
    Array.from({ length: 25 }, (_, n) => `${n}`),
  );
  const finished = replay([...all, end(40)]).filter(({ data }) => kindOf(data) === "message-finish");
  expect(finished).toHaveLength(40);
});

test("a message that grows without end is emitted only up to a bound", () => {
  const piece = { type: "AIMessageChunk", id: "run-1", content: "x".repeat(MB) };
  const emitted = replay(Array.from({ length: 40 }, (_, id) => ({ id, event: "messages", data: json([piece, {}]) })));
  expect(emitted.filter(({ data }) => kindOf(data) === "content-block-delta")).toHaveLength(15);
});

test("of an update with very many nodes the first thousand are emitted, and of its interrupts as many", () => {
  const tasks = Array.from({ length: 20_000 }, (_, id) => {
    return { id, event: "tasks", data: json({ id: `${id}`, name: `n${id}`, triggers: [] }) };
  });
  const nodes = Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`n${n}`, n]));
  const interrupts = Array.from({ length: 100_000 }, (_, n) => ({ id: `${n}`, value: n }));
  const update = { id: tasks.length, event: "updates", data: json({ ...nodes, __interrupt__: interrupts }) };
  const emitted = replay([...tasks, update]).slice(2 * tasks.length);
  expect(emitted.map(({ method }) => method)).toEqual([
    ...Array.from({ length: 1_000 }, () => "updates"),
    ...Array.from({ length: 1_000 }, () => "input.requested"),
  ]);
});

test("of 5,000 running tasks with long names, the newest are remembered up to a bound", () => {
  const name = "n".repeat(1_000);
  const tasks = Array.from({ length: 5_000 }, (_, id) => {
    return { id, event: "tasks", data: json({ id: `${id}`, name, triggers: [] }) };
  });
  const ended = replay([...tasks, end(tasks.length)]).slice(2 * tasks.length, -1);
  expect(ended.length).toBeGreaterThan(1_000);
  expect(ended.length).toBeLessThan(2_500);
});

test("a tree of 300,000 namespaces is built up to 10,000 nodes, and to a bounded depth", () => {
  const tree = growingTree("g");
  const life = { seq: 0, event_id: "", timestamp: 0, method: "lifecycle", data: json({ event: "started" }) } as const;
  for (let n = 0; n < 300_000; n++) tree.grow({ ...life, namespace: [`n:${n}`] });
  tree.grow({ ...life, namespace: Array.from({ length: 5_000 }, () => "n:1") });
  expect(tree.root.children).toHaveLength(9_999);
});
