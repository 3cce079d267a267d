import fc from "fast-check";
import { expect, test } from "vitest";
import { nearName } from "../../../lib/rules/text/near-name.ts";

test("a name that exists is nearest to itself", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), fc.nat(), (names, at) => {
      const name = names[at % names.length] ?? "";
      expect(nearName(name, names)?.toLowerCase()).toBe(name.toLowerCase());
    }),
  );
});

test("a name with one letter missing or changed is near, from three letters on", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,12}$/), fc.nat(), fc.constantFrom("", "X"), (name, at, letter) => {
      const place = at % name.length;
      expect(nearName(name.slice(0, place) + letter + name.slice(place + 1), [name])).toBe(name);
    }),
  );
});

test.each([
  ["garph", "graph"],
  ["langchan", "langchain"],
  ["Graph", "graph"],
  ["agent", undefined],
])("with graph, langchain and app, %s means %s", (typed, meant) => {
  expect(nearName(typed, ["graph", "langchain", "app"])).toBe(meant);
});
