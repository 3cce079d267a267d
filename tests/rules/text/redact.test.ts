import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor, secretsAmong } from "../../../lib/rules/text/redact.ts";

/** Values without the brackets that enclose a name. */
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
        // The text between two names may equal a secret only if it was joined from both sides.
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

  it("has the secrets' names in their place, the longest secret first, also in lines of a key and in addresses", () => {
    const redact = redactor({ TOKEN: "abcd", LONG: "abcdefgh", KEY: "-----BEGIN\nline two\n", URL_PART: "p@ss/word" });
    expect(redact("x abcdefgh abcd")).toBe("x [LONG] [TOKEN]");
    expect(redact("> line two <")).toBe("> [KEY] <");
    expect(redact("https://u:p%40ss%2Fword@host")).toBe("https://u:[URL_PART]@host");
  });
});

describe("an encoded secret", () => {
  const any = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }),
    fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("a", "%", "\\", "+", " ", '"', "/", "é", "😀", "0"),
      minLength: 8,
      maxLength: 20,
    }),
  );
  const value = any.filter((one) => one === one.trim() && new TextEncoder().encode(one).length >= 8);
  const bytes = fc.uint8Array({ maxLength: 10 });
  const lower = (text: string) => text.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
  const base64 = (text: Uint8Array) => Buffer.from(text).toString("base64");
  const escapes: Record<string, (text: string) => string> = {
    url: encodeURIComponent,
    "url in lower case": (text) => lower(encodeURIComponent(text)),
    "part of a url": encodeURI,
    form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
    "every byte": (text) => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&"),
    json: (text) => JSON.stringify(text).slice(1, -1),
    "json of JavaScript": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
    "json in ASCII": (text) =>
      text.replaceAll(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
    "json in json": (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
    "json in a url": (text) => encodeURIComponent(JSON.stringify(text).slice(1, -1)),
    hex: (text) => Buffer.from(text).toString("hex"),
    HEX: (text) => Buffer.from(text).toString("hex").toUpperCase(),
  };

  it.each(Object.entries(escapes))("is found as %s", (_, escape) => {
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (secret, before, after) => {
        // The separators keep the neighbouring text from forming an escape with the secret's first or last characters.
        const [left, right] = [`${before}|`, `|${after}`];
        expect(redactor({ S: secret })(left + escape(secret) + right)).toContain("|[S]|");
      }),
      { numRuns: 300 },
    );
  });

  it("is found in base64 among any bytes, padded or not, for URLs or not, and in a URL", () => {
    fc.assert(
      fc.property(value, bytes, bytes, (secret, before, after) => {
        const whole = base64(Uint8Array.from([...before, ...Buffer.from(secret), ...after]));
        const forms = [whole, whole.replace(/=+$/, ""), Buffer.from(whole, "base64").toString("base64url")];
        for (const form of [...forms, encodeURIComponent(whole), JSON.stringify(whole).replaceAll("/", "\\/")]) {
          const shown = redactor({ S: secret })(form);
          expect(shown).toContain("[S]");
          const left = shown.split("[S]").map((part) => Buffer.from(part, "base64").toString("latin1"));
          for (const part of left) expect(part).not.toContain(Buffer.from(secret).toString("latin1"));
        }
      }),
    );
  });

  it("does not change any other text", () => {
    const redact = redactor({ TOKEN: "sk-0123456789abcdef", LONG: "with spaces and %20 and \\n in it" });
    const parts = fc.constantFrom("a", "%", "%20", "\\", "\\n", "\\u00e9", "+", " ", "%c3%a9", "%ff", "sk-", "😀");
    fc.assert(
      fc.property(fc.array(parts), (pieces) => {
        expect(redact(pieces.join(""))).toBe(pieces.join(""));
      }),
    );
  });
});

describe("variables that are not marked as secrets", () => {
  it("are secrets by their names", () => {
    const secrets = { OPENAI_API_KEY: "a", DATABASE_URL: "b", DB_PASSWORD: "c", github_token: "d" };
    expect(secretsAmong({ ...secrets, MODEL: "large", NODE_ENV: "production" })).toEqual(secrets);
  });
});
