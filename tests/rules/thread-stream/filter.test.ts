import { isPrefixMatch } from "@langchain/langgraph/stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHANNELS, ThreadStreamRequest } from "../../../lib/protocol/thread-stream.ts";
import { isWithin, threadFilter } from "../../../lib/rules/thread-stream/filter.ts";
import { events, namespace, replay, segment } from "./runs.ts";

describe("filters", () => {
  const channels = fc.subarray([...CHANNELS, "custom:x", "strange"], { minLength: 1 });
  const prefixes = fc.array(fc.array(fc.oneof(segment, fc.constantFrom("a", "b")), { maxLength: 2 }), { maxLength: 2 });
  const request = fc.record(
    { channels, namespaces: prefixes, depth: fc.nat(2), since: fc.nat(20_000) },
    { requiredKeys: ["channels"] },
  );
  const all = { channels: [...CHANNELS] };

  test("the requested events come in the order of the whole, and none of them is left out", () => {
    fc.assert(
      fc.property(events, request, (list, requested) => {
        const whole = replay(list);
        const filtered = whole.filter(threadFilter(ThreadStreamRequest.parse(requested)));
        expect(filtered.every(({ seq }) => seq > (requested.since ?? 0))).toBe(true);
        expect(whole.filter(threadFilter(ThreadStreamRequest.parse(all)))).toEqual(whole);
        const wider = threadFilter(ThreadStreamRequest.parse({ ...requested, depth: undefined, since: undefined }));
        expect(filtered.every(wider)).toBe(true);
      }),
    );
  });

  test("a namespace matches as in LangGraph, to the requested depth", () => {
    fc.assert(
      fc.property(namespace, fc.array(fc.oneof(segment, fc.constantFrom("a", "b"))), fc.nat(3), (at, prefix, depth) => {
        const fits = isPrefixMatch(at, prefix);
        expect(isWithin(at, prefix, Infinity)).toBe(fits);
        expect(isWithin(at, prefix, depth)).toBe(fits && at.length - prefix.length <= depth);
      }),
    );
  });

  test("custom selects all of its kind, custom:<name> one name", () => {
    const list = [{ payload: 1 }, { name: "x", payload: 2 }, { name: "y", payload: 3 }].map((data, number) => ({
      id: number,
      event: "custom",
      data: JSON.stringify(data),
    }));
    const of = (channel: string) =>
      replay(list)
        .filter(threadFilter({ channels: [channel] }))
        .map(({ name }) => name);
    expect(of("custom")).toEqual([undefined, "x", "y"]);
    expect(of("custom:x")).toEqual(["x"]);
  });
});
