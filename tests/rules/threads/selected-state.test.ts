import fc from "fast-check";
import { expect, test } from "vitest";
import { isObject } from "../../../lib/protocol/json.ts";
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

test("one member of each object in a list is selected, and selecting again changes nothing", () => {
  const message = fc.record({ id: fc.string(), content: fc.jsonValue() });
  fc.assert(
    fc.property(fc.array(fc.oneof(message, fc.jsonValue())), fc.jsonValue(), (messages, other) => {
      const whole: ThreadState = {
        values: { messages, other },
        next: [],
        tasks: [],
        created_at: null,
        checkpoint: { checkpoint_id: "1" },
        parent_checkpoint: null,
      };
      const wanted = ["checkpoint", "values.messages[].id", "values.other[].id"];
      const shown: ThreadState = { ...whole, ...selectedState(whole, wanted) };
      const ids = (list: readonly unknown[]) =>
        list.map((one) => (isObject(one) && Object.hasOwn(one, "id") ? { id: one.id } : {}));
      expect(shown.values).toEqual({
        messages: ids(messages),
        ...(Array.isArray(other) && { other: ids(other) }),
      });
      expect(selectedState(shown, wanted)).toEqual({ checkpoint: whole.checkpoint, values: shown.values });
    }),
  );
});

test("a list that is selected as a whole stays whole", () => {
  const values = { messages: [{ id: "1", content: "a" }] };
  const state: ThreadState = {
    values,
    next: [],
    tasks: [],
    created_at: null,
    checkpoint: null,
    parent_checkpoint: null,
  };
  expect(selectedState(state, ["values.messages[].id", "values.messages"])).toEqual({ values });
});
