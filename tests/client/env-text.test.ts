import { parseEnv } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isEnvText, readEnvText } from "../../lib/client/env-text.ts";

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/);
const plain = fc.stringMatching(/^[A-Za-z0-9_./:@%+-]{0,24}$/);
const quoted = fc.stringMatching(/^[A-Za-z0-9 _#=./-]{0,24}$/);
const line = fc.oneof(
  fc.tuple(name, plain).map(([key, value]) => `${key}=${value}`),
  fc.tuple(name, quoted).map(([key, value]) => `${key}="${value}"`),
  fc.tuple(name, quoted).map(([key, value]) => `${key}='${value}'`),
  fc.tuple(name, plain).map(([key, value]) => `export ${key}=${value} # why`),
  fc.constantFrom("", "# a comment", "   "),
);

test("a .env reads as Node.js reads it", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const text = lines.join("\n");
      expect(Object.fromEntries(readEnvText(text).map((one) => [one.name, one.value]))).toEqual(parseEnv(text));
    }),
  );
});

test("what begins with a name and = is a .env; a key is not", () => {
  expect(isEnvText("A=1\nB=2")).toBe(true);
  expect(isEnvText("export A = 1")).toBe(true);
  for (const key of ["sk-proj-abc=", "aGVsbG8=", "aGVsbA=="]) expect(isEnvText(key)).toBe(false);
  expect(isEnvText("plain")).toBe(false);
});
