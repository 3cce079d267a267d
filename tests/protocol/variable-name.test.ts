import fc from "fast-check";
import { expect, test } from "vitest";
import { LONGEST_VARIABLE_NAME, variableNameProblem } from "../../lib/protocol/variable-name.ts";
import { EnvironmentPatch } from "../../lib/protocol/variables.ts";

test("the console refuses the names that the server refuses, and no others", () => {
  const name = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,9}$/),
    fc.constantFrom(
      "1BAD NAME",
      "A-B",
      "A\n",
      "a".repeat(LONGEST_VARIABLE_NAME),
      "a".repeat(LONGEST_VARIABLE_NAME + 1),
    ),
  );
  fc.assert(
    fc.property(name, (text) => {
      const { success } = EnvironmentPatch.safeParse({ plain: [text] });
      expect(variableNameProblem(text) === undefined).toBe(success);
    }),
  );
});
