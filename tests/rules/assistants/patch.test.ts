import fc from "fast-check";
import { expect, test } from "vitest";
import { type Assistant, AssistantPatch } from "../../../lib/protocol/assistants.ts";
import { applyPatch } from "../../../lib/rules/assistants/patch.ts";

const members = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const patch = fc.record({
  graph_id: maybe(fc.string()),
  config: maybe(fc.record({ configurable: members })),
  context: maybe(members),
  metadata: maybe(members),
  name: maybe(fc.string()),
  description: maybe(fc.string()),
});
const assistant: fc.Arbitrary<Assistant> = fc.record({
  assistant_id: fc.uuid(),
  graph_id: fc.string(),
  name: fc.string(),
  description: fc.option(fc.string()),
  config: fc.record({ configurable: members }),
  context: members,
  metadata: members,
  version: fc.nat(),
  created_at: fc.constant("2026-01-01T00:00:00.000Z"),
  updated_at: fc.constant("2026-01-01T00:00:00.000Z"),
});
const now = "2026-02-02T00:00:00.000Z";

test("a patch replaces the members that it names, merges metadata and keeps the rest", () => {
  fc.assert(
    fc.property(assistant, patch, (before, changes) => {
      const { metadata, ...replaced } = changes;
      const given = Object.fromEntries(Object.entries(replaced).filter(([, value]) => value !== undefined));
      const merged = { ...before.metadata, ...metadata };
      expect(applyPatch(before, changes, now)).toEqual({ ...before, ...given, metadata: merged, updated_at: now });
    }),
  );
});

test("the same patch twice changes no more than once; an empty one changes only the time", () => {
  fc.assert(
    fc.property(assistant, patch, (before, changes) => {
      const once = applyPatch(before, changes, now);
      expect(applyPatch(once, changes, now)).toEqual(once);
      expect(applyPatch(before, AssistantPatch.parse({}), now)).toEqual({ ...before, updated_at: now });
    }),
  );
});
