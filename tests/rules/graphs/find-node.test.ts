import fc from "fast-check";
import { expect, test } from "vitest";
import { findNode } from "../../../lib/rules/graphs/find-node.ts";

const PATHS = ["__start__", "start again", "research", "search", "child:search deep", "child:__end__", "child:plan"];

test.each([
  ["search", "search"],
  ["SEA", "search"],
  ["res", "research"],
  ["deep", "child:search deep"],
  ["start", "start again"],
  ["child", "child:search deep"],
  ["end", undefined],
  ["  ", undefined],
  ["nobody", undefined],
])("the words %j mean the node %j", (words, node) => {
  expect(findNode(PATHS, words)).toBe(node);
});

test("every node but starts and ends is found by its own name", () => {
  const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== "" && !text.includes(":"));
  fc.assert(
    fc.property(fc.uniqueArray(name, { selector: (text) => text.trim().toLowerCase(), minLength: 1 }), (names) => {
      for (const one of names)
        expect(
          findNode(
            names.map((text) => text.trim()),
            one,
          ),
        ).toBe(one.trim());
    }),
  );
});
