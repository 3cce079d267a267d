import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions, parseVersion } from "../../../lib/protocol/versions.ts";
import { allows, allowsMajor, isBelow, parseRange } from "../../../lib/rules/packages/version-range.ts";

const number = fc.nat(30);
const version = fc.tuple(number, number, number);
const text = version.map((numbers) => numbers.join("."));

function lets(range: string, wanted: string): boolean {
  return allows(parseRange(range) ?? [], parseVersion(wanted) ?? [0, 0, 0]);
}

describe("a range", () => {
  test("is read from any text without throwing", () => {
    fc.assert(fc.property(fc.string(), (any) => void parseRange(any)));
  });

  test("of one version allows that version alone", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(lets(a, b)).toBe(a === b);
      }),
    );
  });

  test("with ^ and ~ begins at its version and stays within the major", () => {
    fc.assert(
      fc.property(fc.constantFrom("^", "~"), version, version, (sign, a, b) => {
        const range = sign + a.join(".");
        expect(lets(range, a.join("."))).toBe(true);
        if (lets(range, b.join("."))) expect([compareVersions(a, b) <= 0, b[0]]).toEqual([true, a[0]]);
      }),
    );
  });

  test("of two parts allows what either allows, of two comparators what both allow", () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(lets(`>=${a} || <${b}`, c)).toBe(lets(`>=${a}`, c) || lets(`<${b}`, c));
        expect(lets(`>=${a} <${b}`, c)).toBe(lets(`>=${a}`, c) && lets(`<${b}`, c));
        expect(lets(`${a} - ${b}`, c)).toBe(lets(`>=${a}`, c) && lets(`<=${b}`, c));
      }),
    );
  });

  test("allows a major when it allows a version of it", () => {
    fc.assert(
      fc.property(fc.constantFrom("^", "~", ">=", ">", "<", "<=", ""), text, version, (sign, a, b) => {
        if (lets(sign + a, b.join("."))) expect(allowsMajor(parseRange(sign + a) ?? [], b[0])).toBe(true);
      }),
    );
  });

  test("is below a version when it allows nothing from there on", () => {
    fc.assert(
      fc.property(fc.constantFrom("^", "~", ">=", "<", ""), text, version, version, (sign, a, b, c) => {
        const range = parseRange(sign + a) ?? [];
        if (isBelow(range, b) && compareVersions(c, b) >= 0) expect(lets(sign + a, c.join("."))).toBe(false);
      }),
    );
  });
});

test.each([
  [">=20", "20.0.0", true],
  ["20", "20.19.0", true],
  ["20", "21.0.0", false],
  ["20.x", "20.1.0", true],
  ["20.x", "22.1.0", false],
  ["^20.9.0 || >=22", "21.0.0", false],
  ["^20.9.0 || >=22", "24.0.0", true],
  [">= 18 < 23", "22.5.0", true],
  ["*", "1.0.0", true],
  ["", "1.0.0", true],
  ["^0.2.3", "0.2.9", true],
  ["^0.2.3", "0.3.0", false],
  ["^0.0.3", "0.0.4", false],
  ["^0.2", "0.2.9", true],
  ["^1", "1.9.0", true],
  ["~1", "1.9.0", true],
  ["<=20", "20.5.0", true],
  [">20", "20.5.0", false],
  ["1.2.3-rc.1", "1.2.3", true],
])("%j allows %s: %s", (range, version, expected) => {
  expect(lets(range, version)).toBe(expected);
});

test.each(["latest", "file:../x", "workspace:*", "npm:other@^1", "git+ssh://host/path", "^latest"])(
  "%s is no range",
  (text) => {
    expect(parseRange(text)).toBeUndefined();
  },
);
