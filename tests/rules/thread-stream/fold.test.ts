import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeThreadEvent } from "../../../lib/protocol/thread-stream.ts";
import { foldRun, seqBefore } from "../../../lib/rules/thread-stream/fold.ts";
import { events, replay, run } from "./runs.ts";

describe("laws", () => {
  test("every replay is the same, and a repeated event emits nothing", () => {
    fc.assert(
      fc.property(events, fc.nat(), (list, cut) => {
        const whole = replay(list);
        const fold = foldRun(run);
        const at = cut % (list.length + 1);
        const parts = [...list.slice(0, at), ...list.slice(0, at), ...list.slice(at)].flatMap((one) => fold.take(one));
        expect(parts).toEqual(whole);
      }),
    );
  });

  test("numbers grow over the runs of a thread, and ids are unique", () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 4 }), (runs) => {
        let position = 0;
        const all = runs.flatMap((list, index) => {
          const of = { ...run, run_id: `run-${index}`, position };
          position += list.length;
          const emitted = replay(list, of);
          expect(emitted.every(({ seq }) => seq > seqBefore(of.position) && seq <= seqBefore(position))).toBe(true);
          return emitted;
        });
        for (const [index, { seq }] of all.entries()) expect(seq).toBeGreaterThan(all[index - 1]?.seq ?? 0);
        expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(all.length);
      }),
    );
  });

  test("the run's own lifecycle is the first and the last event, each once, under the ids that clients read", () => {
    fc.assert(
      fc.property(events, (list) => {
        const all = replay(list);
        const root = all.filter(({ method, namespace: at }) => method === "lifecycle" && at.length === 0);
        expect(root).toHaveLength(2);
        expect([all[0], all.at(-1)]).toEqual(root);
        const [first, last] = root.map(({ data }) => (JSON.parse(data) as { event: string }).event);
        expect(first).toBe("running");
        expect(["completed", "failed", "interrupted"]).toContain(last);
        expect(root.map(({ event_id }) => event_id)).toEqual([`synth:run:lc||running`, `synth:run:lc||${last}`]);
        const others = all.filter((one) => !root.includes(one));
        expect(others.every(({ event_id }) => event_id.startsWith("run:"))).toBe(true);
      }),
    );
  });

  test("every envelope is one line of JSON with the members of the event", () => {
    fc.assert(
      fc.property(events, (list) => {
        for (const one of replay(list)) {
          const { seq, event_id, method, namespace: at, timestamp, node, data } = one;
          const text = encodeThreadEvent(one);
          expect(text).not.toMatch(/[\r\n]/);
          const params = { namespace: at, timestamp, node, data: JSON.parse(data) as unknown };
          expect(JSON.parse(text)).toEqual({ type: "event", event_id, seq, method, params });
        }
      }),
    );
  });

  test("blocks of a message do not interleave, and each is finished before its message", () => {
    fc.assert(
      fc.property(events, (list) => {
        const open = new Map<string, number | undefined>();
        for (const { method, namespace: at, data } of replay(list)) {
          if (method !== "messages") continue;
          const { event: what, index, run_id: model } = JSON.parse(data) as Record<string, string & number>;
          const key = `${at.join("|")} ${model}`;
          if (what === "message-start") open.set(key, undefined);
          else expect(open.has(key)).toBe(true);
          if (what === "content-block-start") expect(open.get(key)).toBeUndefined();
          if (what === "content-block-start") open.set(key, index);
          if (what === "content-block-delta") expect(open.get(key)).toBe(index);
          if (what === "content-block-finish") expect(open.get(key)).toBe(index);
          if (what === "content-block-finish") open.set(key, undefined);
          if (what === "message-finish") expect(open.get(key)).toBeUndefined();
          if (what === "message-finish" || what === "error") open.delete(key);
        }
        expect([...open]).toEqual([]);
      }),
    );
  });

  test("every namespace that starts also ends, and no interrupt is requested twice", () => {
    fc.assert(
      fc.property(events, (list) => {
        const open = new Set<string>();
        const requested: string[] = [];
        for (const { method, namespace: at, data } of replay(list)) {
          const { event: status, interrupt_id } = JSON.parse(data) as Record<string, string>;
          if (method === "lifecycle" && status === "started") open.add(at.join("|"));
          else if (method === "lifecycle") open.delete(at.join("|"));
          if (method === "input.requested") requested.push(interrupt_id ?? "");
          if (method === "values") expect(data).not.toContain("__interrupt__");
        }
        expect([...open]).toEqual([]);
        expect(new Set(requested).size).toBe(requested.length);
      }),
    );
  });
});
