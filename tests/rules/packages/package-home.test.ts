import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesMembers } from "../../../lib/rules/packages/package-home.ts";

test("members are matched by path, and the last matching pattern decides", () => {
  const name = fc.stringMatching(/^[a-c]{1,2}$/);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.nat(), (parts, at) => {
      const path = parts.join("/");
      const star = parts.map((part, index) => (index === at % parts.length ? "*" : part)).join("/");
      expect(matchesMembers([path], path)).toBe(true);
      expect(matchesMembers([`./${star}/`], path)).toBe(true);
      expect(matchesMembers(["**"], path)).toBe(true);
      expect(matchesMembers([`${parts[0]}/**`], path)).toBe(true);
      expect(matchesMembers([star, `!${path}`], path)).toBe(false);
      expect(matchesMembers([`${star}/x`], path)).toBe(false);
    }),
  );
});
