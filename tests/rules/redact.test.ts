import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor, secretsAmong } from "../../lib/rules/redact.ts";

/** Values without the brackets that a name is put in. */
const secret = fc
  .string({ minLength: 4, maxLength: 20 })
  .filter((text) => text.trim().length >= 4 && !/[[\]\nA-Z]/.test(text));
const text = fc.string().filter((one) => !/[[\]A-Z]/.test(one));

describe("a redacted text", () => {
  it("holds no secret, wherever it stood", () => {
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.array(text), (secrets, between) => {
        const redact = redactor(Object.fromEntries(secrets.map((value, index) => [`S${index}`, value])));
        const whole = between.flatMap((part, index) => [part, secrets[index % secrets.length] ?? ""]).join("");
        const shown = redact(whole);
        // What is left between two names may happen to be one of them only where it was made of both sides.
        for (const part of shown.split(/\[S\d+\]/)) for (const value of secrets) expect(part).not.toContain(value);
      }),
    );
  });

  it("without secrets stays as it is", () => {
    fc.assert(
      fc.property(fc.string(), (whole) => {
        expect(redactor({})(whole)).toBe(whole);
        expect(redactor({ SHORT: "abc" })(whole)).toBe(whole);
      }),
    );
  });

  it("names what it left out, the longest first, in lines of a key and in addresses", () => {
    const redact = redactor({ TOKEN: "abcd", LONG: "abcdefgh", KEY: "-----BEGIN\nline two\n", URL_PART: "p@ss/word" });
    expect(redact("x abcdefgh abcd")).toBe("x [LONG] [TOKEN]");
    expect(redact("> line two <")).toBe("> [KEY] <");
    expect(redact("https://u:p%40ss%2Fword@host")).toBe("https://u:[URL_PART]@host");
  });
});

describe("variables that nobody has marked", () => {
  it("are secrets by what they are called", () => {
    const secrets = { OPENAI_API_KEY: "a", DATABASE_URL: "b", DB_PASSWORD: "c", github_token: "d" };
    expect(secretsAmong({ ...secrets, MODEL: "large", NODE_ENV: "production" })).toEqual(secrets);
  });
});
