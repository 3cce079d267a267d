import fc from "fast-check";
import { expect, test } from "vitest";
import { readSeeds } from "../../../lib/rules/assistants/seeds.ts";

const members = fc.dictionary(fc.stringMatching(/^[a-z]\w*$/), fc.jsonValue());

test("the seed of a graph is its configuration, with the context beside it", () => {
  const seeds = fc.dictionary(
    fc.stringMatching(/^[a-z]\w*$/),
    fc.record({ config: fc.record({ configurable: members }), context: members }),
  );
  fc.assert(
    fc.property(seeds, (all) => {
      const written = Object.entries(all).map(([graph, { config, context }]) => [graph, { ...config, context }]);
      // JSON has no negative zero.
      const expected = JSON.parse(JSON.stringify(all)) as typeof all;
      expect(readSeeds(JSON.stringify(Object.fromEntries(written)))).toEqual({ seeds: expected });
    }),
  );
});

test("an empty text seeds nothing, and any other text than JSON of this form is a problem", () => {
  for (const text of [undefined, "", " "]) expect(readSeeds(text)).toEqual({ seeds: {} });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { seeds, problem } = readSeeds(text);
      expect(Object.keys(seeds).length === 0 || problem === undefined).toBe(true);
    }),
  );
  for (const text of ["[]", "7", "{", '{"agent":1}', '{"agent":{"recursion_limit":"many"}}'])
    expect(readSeeds(text).problem).toMatch(/^LANGGRAPH_CONFIG is no JSON object/);
});
