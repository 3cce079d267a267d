import fc from "fast-check";
import { expect, test } from "vitest";
import type { ThreadState } from "../../../lib/protocol/threads.ts";
import { selectedState } from "../../../lib/rules/threads/selected-state.ts";

const names = fc.constantFrom("messages", "n", "a.b", "__proto__");
const state = fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true }).map((values): ThreadState => ({
  values,
  next: [],
  tasks: [],
  created_at: null,
  checkpoint: { checkpoint_id: "1" },
  parent_checkpoint: null,
}));
const select = fc.array(
  fc.oneof(
    fc.constantFrom("values", "next", "checkpoint", "no_such_member"),
    names.map((key) => `values.${key}`),
  ),
);

test("the selected members of a state are returned, and no others", () => {
  fc.assert(
    fc.property(state, select, (whole, wanted) => {
      const shown: Record<string, unknown> = { ...selectedState(whole, wanted) };
      const keys = wanted.filter((one) => one.startsWith("values.")).map((one) => one.slice("values.".length));
      const hasValues = wanted.includes("values") || keys.length > 0;
      const members = Object.keys(whole).filter((name) => (name === "values" ? hasValues : wanted.includes(name)));
      expect(Object.keys(shown).toSorted()).toEqual(members.toSorted());
      if (wanted.includes("values")) expect(shown.values).toEqual(whole.values);
      else if (hasValues) {
        const had = Object.entries(whole.values as object);
        expect(new Map(Object.entries(shown.values as object))).toEqual(
          new Map(had.filter(([key]) => keys.includes(key))),
        );
      }
    }),
  );
});

test("the whole state is returned where nothing is selected", () => {
  fc.assert(fc.property(state, (whole) => selectedState(whole, undefined) === whole));
});
