import fc from "fast-check";
import { expect, test } from "vitest";
import { isOlder, parseGitVersion } from "../../../lib/rules/sources/git-version.ts";

const version = fc.tuple(fc.nat(99), fc.nat(99));

test("one of two versions of git is older, unless they are the same", () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      const same = a[0] === b[0] && a[1] === b[1];
      expect([isOlder(a, b), isOlder(b, a)].filter(Boolean)).toHaveLength(same ? 0 : 1);
    }),
  );
});

test("the version of git is read from its output on any system", () => {
  fc.assert(
    fc.property(version, fc.constantFrom("", ".1", ".1.windows.1", ".5 (Apple Git-154)", ".rc1"), ([a, b], rest) => {
      expect(parseGitVersion(`git version ${a}.${b}${rest}\n`)).toEqual([a, b]);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => parseGitVersion(text) === undefined));
});
