import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calculate, evaluateExpression } from "../../graphs/tools/calculate.ts";

const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });

describe("laws", () => {
  test("whole numbers are exact", () => {
    fc.assert(
      fc.property(integer, integer, integer, (a, b, c) => {
        expect(evaluateExpression(`(${a}) * (${b}) + (${c})`)).toBe(String(a * b + c));
        expect(evaluateExpression(`(${a}) - (${b})`)).toBe(String(a - b));
      }),
    );
  });

  test("two decimals add up exactly", () => {
    const cents = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(Number(evaluateExpression(`${a / 100} + ${b / 100}`))).toBe((a + b) / 100);
      }),
    );
  });

  test("any text is a result or an Error within 100 ms of CPU time", () => {
    const words =
      '9 1e300 99999 ^ ! * ( ) , - . e i combinations( nthRoot( permutations( gcd( exp( [ ] : = ; km mod f(x)= " ones( import( sin( lcm(';
    const piece = fc.constantFrom(" to ", ...words.split(" "));
    const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(""));
    evaluateExpression("1 + 1 / 3");
    fc.assert(
      fc.property(text, (expression) => {
        const before = process.cpuUsage();
        try {
          expect(typeof evaluateExpression(expression)).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
        expect(process.cpuUsage(before).user).toBeLessThan(100_000);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("results", () => {
  test.each([
    ["12*(3+4)", "84"],
    ["0.1 + 0.2", "0.3"],
    ["80 + 20%", "96"],
    ["17/100*230", "39.1"],
    ["2^100", "1267650600228229401496703205376"],
    ["30!", "265252859812191058636308480000000"],
    ["12345678901234567890 * 98765", "1219320976680432097655850"],
    ["10^20 + 1 - 10^20", "1"],
    ["sqrt(2)", "1.4142135623731"],
    ["sqrt(-4)", "2i"],
    ["sin(30 deg)", "0.5"],
    ["ln(e)", "1"],
    ["mean(1, 2, 6)", "3"],
    ["combinations(49, 6)", "13983816"],
    ["5 km + 300 m", "5.3 km"],
    ["3 > 2", "true"],
    ["6 × 7 ÷ 2 − 1", "20"],
    ["√16 + 3²", "13"],
  ])("%s = %s", (expression, result) => {
    expect(evaluateExpression(expression)).toBe(result);
  });
});

describe("refusals", () => {
  test.each([
    ["1/0", "infinite"],
    ["0/0", "not defined"],
    ["9^9^9^9", "infinite"],
    ["(1+2", "Parenthesis"],
    ["combinations(1e15, 5e14)", "limited"],
    ["permutations(combinations(200000, 199999), 1)", "combinations is limited"],
    ["combinations(1:3)", "not allowed"],
    ['combinations(createUnit("foo"))', "createUnit is not allowed"],
    ["nobody + 1", "nobody"],
    ["import({}, {})", "not allowed"],
    ['createUnit("foo")', "not allowed"],
    ['evaluate("1+1")', "not allowed"],
    ['parse("1")', "not allowed"],
    ["f(x) = f(x)", "not allowed"],
    ["x = 3", "not allowed"],
    ["ones(10000, 10000)", "not allowed"],
    ["1:1000000000", "not allowed"],
    ["[1, 2]", "not allowed"],
    ["sqrt.constructor", "not allowed"],
    ['"text"', "not allowed"],
    ["sin", "no value"],
  ])("%s: %s", (expression, reason) => {
    expect(() => evaluateExpression(expression)).toThrow(reason);
  });

  test("an expression of more than 300 characters is refused before it is parsed", async () => {
    await expect(calculate.invoke({ expression: "1+".repeat(150) + "1" })).rejects.toThrow("schema");
  });
});
