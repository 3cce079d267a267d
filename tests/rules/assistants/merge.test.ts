import fc from "fast-check";
import { expect, test } from "vitest";
import type { Assistant } from "../../../lib/protocol/assistants.ts";
import type { AssistantDraft } from "../../../lib/rules/assistants/draft.ts";
import { afterSave, mergeDrafts, rebase, takeTheirs } from "../../../lib/rules/assistants/merge.ts";

const members = fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), fc.jsonValue({ maxDepth: 2 }));
const draft: fc.Arbitrary<AssistantDraft> = fc.record({
  name: fc.constantFrom("x", "y"),
  description: fc.constantFrom("x", "y"),
  graph_id: fc.constantFrom("x", "y"),
  context: members,
  config: members,
  metadata: members,
});
const empty: AssistantDraft = { name: "", description: "", graph_id: "a", context: {}, config: {}, metadata: {} };

const assistant = (version: number, part: Partial<AssistantDraft>): Assistant => ({
  ...empty,
  assistant_id: "1",
  created_at: "",
  updated_at: "",
  version,
  // The tests give objects only.
  ...(part as object),
  context: (part.context ?? {}) as Assistant["context"],
  config: {},
  metadata: {},
});

test("who has changed nothing gets what the other one has changed, without a clash", () => {
  fc.assert(
    fc.property(draft, draft, (base, other) => {
      for (const joined of [
        mergeDrafts(base, base, other),
        mergeDrafts(base, other, base),
        mergeDrafts(base, other, structuredClone(other)),
      ])
        expect(joined).toEqual({ draft: other, clashes: [] });
    }),
  );
});

test("the order counts only for members that both have changed", () => {
  fc.assert(
    fc.property(draft, draft, draft, (base, one, two) => {
      const [forth, back] = [mergeDrafts(base, one, two), mergeDrafts(base, two, one)];
      expect(new Set(forth.clashes.map((path) => path.join()))).toEqual(
        new Set(back.clashes.map((path) => path.join())),
      );
      if (forth.clashes.length === 0) expect(forth.draft).toEqual(back.draft);
    }),
  );
});

test("members that different people have changed, added or removed are joined", () => {
  const base = { ...empty, context: { tone: "dry", words: 5, old: 1, deep: { a: 1, b: 1 } } };
  const mine = { ...base, name: "Mine", context: { tone: "warm", words: 5, old: 1, deep: { a: 2, b: 1 } } };
  const theirs = { ...base, context: { tone: "cold", words: 9, extra: true, deep: { a: 1, b: 2 } } };
  expect(mergeDrafts(base, mine, theirs)).toEqual({
    draft: { ...base, name: "Mine", context: { tone: "warm", words: 9, extra: true, deep: { a: 2, b: 2 } } },
    clashes: [["context", "tone"]],
  });
});

test("a draft begins anew from what is stored, and gives way only where it is asked to", () => {
  const base = assistant(1, { context: { tone: "dry", words: 5 } });
  const now = assistant(2, { context: { tone: "cold", words: 9 } });
  const edit = rebase({ base, draft: { ...empty, name: "Mine", context: { tone: "warm", words: 5 } } }, now);
  expect(edit).toMatchObject({
    base: { version: 2 },
    draft: { name: "Mine", context: { tone: "warm", words: 9 } },
    meanwhile: { version: 2, isNew: true, clashes: [["context", "tone"]] },
  });
  if (!edit) throw new Error("something is left to save");
  expect(takeTheirs({ ...edit, draft: { ...edit.draft, description: "later" } })).toMatchObject({
    draft: { name: "Mine", description: "later", context: { tone: "cold", words: 9 } },
    meanwhile: { clashes: [] },
  });
});

test("a draft ends when it has nothing that is not stored, and an older version is told from a new one", () => {
  const [first, second] = [assistant(1, { name: "A" }), assistant(2, { name: "B" })];
  expect(rebase({ base: first, draft: { ...empty, name: "B" } }, second)).toBeUndefined();
  const edit = rebase({ base: second, draft: { ...empty, name: "C" } }, first);
  expect(edit?.meanwhile).toMatchObject({ version: 1, isNew: false, clashes: [["name"]] });
  expect(edit && takeTheirs(edit)).toBeUndefined();
});

test("what is typed while a draft is sent is a change of what was stored", () => {
  const sent = { ...empty, name: "A" };
  const saved = assistant(2, { name: "A" });
  const typed = { ...sent, name: "Ab" };
  const base = assistant(1, {});
  expect(afterSave({ base, draft: sent }, sent, saved)).toBeUndefined();
  expect(afterSave({ base, draft: { ...sent } }, sent, saved)).toBeUndefined();
  expect(afterSave({ base, draft: typed }, sent, saved)).toEqual({ base: saved, draft: typed });
});
