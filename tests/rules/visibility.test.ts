import fc from "fast-check";
import { expect, test } from "vitest";
import { isVisible, toVisibility } from "../../lib/rules/visibility.ts";

const key = fc.constantFrom("owner", "org", "tags");
const scalar = fc.constantFrom<unknown>("ada", "bob", 1, true, null);
const metadata = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })));

test("everything is visible without a filter, and with an empty one", () => {
  fc.assert(
    fc.property(metadata, (of) => {
      expect(isVisible(undefined, of)).toBe(true);
      expect(isVisible(toVisibility({}), of)).toBe(true);
    }),
  );
});

test("a value and $eq of it are the same filter: the member exists and is equal", () => {
  fc.assert(
    fc.property(metadata, key, scalar, (of, name, value) => {
      const expected = Object.hasOwn(of, name) && of[name] === value;
      expect(isVisible(toVisibility({ [name]: value }), of)).toBe(expected);
      expect(isVisible(toVisibility({ [name]: { $eq: value } }), of)).toBe(expected);
    }),
  );
});

test("$contains matches an array with the one value, or with all of several", () => {
  fc.assert(
    fc.property(metadata, key, fc.array(scalar, { maxLength: 3 }), (of, name, values) => {
      const member = of[name];
      const holds = (wanted: unknown[]) => Array.isArray(member) && wanted.every((value) => member.includes(value));
      expect(isVisible(toVisibility({ [name]: { $contains: values } }), of)).toBe(holds(values));
      for (const value of values)
        expect(isVisible(toVisibility({ [name]: { $contains: value } }), of)).toBe(holds([value]));
    }),
  );
});

test("all conditions must match", () => {
  fc.assert(
    fc.property(metadata, scalar, scalar, (of, owner, org) => {
      const both = isVisible(toVisibility({ owner, org }), of);
      expect(both).toBe(isVisible(toVisibility({ owner }), of) && isVisible(toVisibility({ org }), of));
    }),
  );
});

test("a filter that is not understood is undefined, not one that matches everything", () => {
  for (const filter of [{ owner: {} }, { owner: { $ne: "ada" } }, { owner: { $eq: "ada", $or: [] } }])
    expect(toVisibility(filter)).toBeUndefined();
});
