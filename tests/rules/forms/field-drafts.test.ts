import fc from "fast-check";
import { expect, test } from "vitest";
import {
  draftAt,
  fieldKey,
  fieldPath,
  liveDrafts,
  NO_DRAFTS,
  withDraft,
} from "../../../lib/rules/forms/field-drafts.ts";

const draft = (value: unknown, text = "{") => ({ text, value, reason: "This is not JSON." });
const part = fc.oneof(fc.constantFrom("a", "b", "a.b", "__proto__", "0"), fc.nat(2));
const key = fc.array(part, { maxLength: 3 }).map(fieldKey);

test("a draft is found by its field alone while that has the same value", () => {
  fc.assert(
    fc.property(key, key, fc.jsonValue(), (at, other, value) => {
      const drafts = withDraft(NO_DRAFTS, at, draft(value));
      expect(fieldKey(fieldPath(at))).toBe(at);
      expect(draftAt(drafts, at, structuredClone(value))).toEqual(draft(value));
      expect(draftAt(drafts, at, { other: value })).toBeUndefined();
      if (at !== other) expect(draftAt(drafts, other, value)).toBeUndefined();
      expect(withDraft(drafts, at, undefined)).toEqual(NO_DRAFTS);
    }),
  );
});

test("live drafts are those whose fields still have their values, and the same object if these are all", () => {
  const limits = withDraft(NO_DRAFTS, fieldKey(["limits"]), draft(undefined));
  const drafts = withDraft(limits, fieldKey(["items", 1]), draft(null));
  expect(liveDrafts(drafts, { items: [1, null] })).toBe(drafts);
  // Its item was removed, or has another value.
  expect(liveDrafts(drafts, { items: [1] })).toEqual(limits);
  expect(liveDrafts(drafts, { items: [null, 1] })).toEqual(limits);
  expect(liveDrafts(drafts, { items: { 1: null }, limits: 1 }).size).toBe(1);
  expect(liveDrafts(drafts, { limits: {} })).toEqual(NO_DRAFTS);
  expect(withDraft(drafts, fieldKey(["nothing"]), undefined)).toBe(drafts);
});

test("no value makes the search for live drafts fail", () => {
  fc.assert(
    fc.property(key, fc.anything(), (at, value) => {
      expect(liveDrafts(withDraft(NO_DRAFTS, at, draft(undefined)), value).size).toBeLessThanOrEqual(1);
    }),
  );
});
