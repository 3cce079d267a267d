import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "../../graphs/tools/convert-units.ts";
import { loadMath } from "../../graphs/tools/math.ts";
import { allUnits, findUnit } from "../../graphs/tools/units.ts";

const unit = fc.constantFrom(...allUnits);

describe("laws", () => {
  test("mathjs knows every unit of the table", () => {
    for (const { unit: name } of allUnits) expect(loadMath().math.unit(1, name).toNumber(name)).toBeCloseTo(1);
  });

  test("a conversion there and back gives the start, or the two units measure different things", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), unit, unit, (value, a, b) => {
        const math = loadMath().math;
        if (!math.unit(1, a.unit).equalBase(math.unit(1, b.unit))) {
          expect(() => convert(value, a.unit, b.unit)).toThrow("different things");
          return;
        }
        const there = Number(convert(value, a.unit, b.unit).value);
        const back = Number(convert(there, b.unit, a.unit).value);
        // The offsets between temperatures cost some of the ten digits that are kept.
        expect(Math.abs(back - value)).toBeLessThan(1e-5 + value * 1e-8);
      }),
      { numRuns: 2000 },
    );
  });

  test("any name is a known unit or undefined", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const found = findUnit(name);
        if (found) expect(allUnits).toContain(found);
      }),
    );
  });
});

describe("conversions", () => {
  test.each<[number, string, string, string]>([
    [10, "km", "miles", "6.213711922 mi"],
    [72, "F", "celsius", "22.22222222 °C"],
    [-40, "degrees celsius", "°F", "-40 °F"],
    [0, "C", "kelvin", "273.15 K"],
    [1, "GiB", "MB", "1073.741824 MB"],
    [5, "TiB", "bytes", "5497558138880 bytes"],
    [100, "Mb", "MB", "12.5 MB"],
    [1, "nautical mile", "km", "1.852 km"],
    [90, "mins", "hours", "1.5 h"],
    [500, "kcal", "kJ", "2092 kJ"],
    [100, "km/h", "mph", "62.13711922 mph"],
    [5, "kg m / s^2", "newtons", "5 N"],
  ])("%d %s in %s is %s", (value, from, to, expected) => {
    expect(convert(value, from, to).to).toBe(expected);
  });

  test.each([
    ["USD", "EUR", '"USD" is a currency'],
    ["pounds", "euros", '"euros" is a currency'],
    ["foo", "km", '"foo" is no unit'],
    ["km", "kg", "different things"],
  ])("%s to %s is refused with the reason", (from, to, reason) => {
    expect(() => convert(1, from, to)).toThrow(reason);
  });
});
