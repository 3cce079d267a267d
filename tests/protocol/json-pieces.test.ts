import fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeperThan } from "../../lib/protocol/json.ts";
import { parsePieces, TooDeep } from "../../lib/protocol/json-pieces.ts";

/** Parses in pieces of a few characters, so that short texts have many pieces. */
const SIZE = 12;

const parse = (text: string, deepest = 1_000, size = SIZE): unknown => {
  const work = parsePieces(text, deepest, size);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
};

/** Returns the value with the order of its members, or the fact that the text is refused. */
const outcome = (read: () => unknown): string => {
  try {
    return `is ${JSON.stringify(read())}`;
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : String(error);
  }
};

const odd = fc.constantFrom("__proto__", "constructor", "7", "a", '"', "\\", "[", "]}", ",", ":", "é", "\u2028", "😀");
/** Names without escapes: once Node.js 24.21 has parsed an object with the name `\\`, it may read `"` as that name. */
const name = fc.oneof(odd, fc.string()).filter((text) => !/["\\]/.test(text));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      odd,
      fc.string(),
    ),
    fc.array(tie("value"), { maxLength: 6 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 6 }).map((members) => {
      const object = {};
      for (const [member, value] of members)
        Object.defineProperty(object, member, { value, enumerable: true, configurable: true });
      return object;
    }),
  ),
})).value;

test("a text parsed in pieces has the value that JSON.parse returns", () => {
  fc.assert(
    fc.property(
      fc.array(json, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(undefined, 1, "\t"),
      (values, indent) => {
        const text = JSON.stringify(values, null, indent);
        expect(outcome(() => parse(text))).toBe(outcome(() => JSON.parse(text)));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a text with a change anywhere is refused exactly when JSON.parse refuses it", () => {
  const sign = fc.constantFrom(
    "",
    ",",
    ":",
    "[",
    "]",
    "{",
    "}",
    '"',
    "\\",
    "1",
    "-",
    " ",
    "\v",
    "\u00A0",
    "null",
    "[,",
    ",]",
  );
  fc.assert(
    fc.property(json, fc.nat(), sign, fc.nat(2), (value, at, what, gone) => {
      const whole = JSON.stringify({ a: value, large: [[1, 22, 333, 4444], { b: "long enough", c: value }, value] });
      const offset = at % (whole.length + 1);
      const text = whole.slice(0, offset) + what + whole.slice(offset + gone);
      expect(outcome(() => parse(text))).toBe(outcome(() => JSON.parse(text)));
    }),
    { numRuns: 5_000 },
  );
});

test("the last of several members with one name wins, and __proto__ is an ordinary member", () => {
  const text = `{"a":1,"__proto__":{"x":[${"1,".repeat(20)}1]},"b":2,"a":{"y":[${"1,".repeat(20)}1]}}`;
  expect(outcome(() => parse(text))).toBe(outcome(() => JSON.parse(text)));
  expect(Object.getPrototypeOf(parse(text))).toBe(Object.prototype);
});

test("a text of many pieces has the value that JSON.parse returns", () => {
  const items = Array.from({ length: 60_000 }, (_, index) => ({ [`name ${index % 50}`]: [index, {}] }));
  const members = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`name ${index}`, [index]]));
  const text = JSON.stringify({ items, members, text: "t".repeat(1_000_000) });
  expect(parse(text, 64, undefined)).toEqual(JSON.parse(text));
});

test("a text that nests too deep is refused before it is built, at the limit of isDeeperThan", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (levels) => {
      const filled = JSON.stringify("w".repeat(30));
      const text = levels.reduce((inner, isList) => (isList ? `[${inner}]` : `{"a":${inner}}`), filled);
      let refused = false;
      try {
        parse(text, 6);
      } catch (error) {
        refused = error instanceof TooDeep;
      }
      expect(refused).toBe(isDeeperThan(JSON.parse(text), 6));
    }),
  );
  expect(() => parse("[".repeat(5_000_000), 64)).toThrow(TooDeep);
});
