import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSecretBox, secretOf } from "../../lib/drivers/secrets/secret-box.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a sealed text", () => {
  const box = createSecretBox(["one secret"]);

  test("opens to the original text, and is different every time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = box.seal(text);
        expect(box.open(sealed)).toBe(text);
        expect(box.seal(text)).not.toBe(sealed);
        if (text.length > 3) expect(sealed).not.toContain(text);
      }),
    );
  });

  test("does not open after any change", () => {
    const sealed = box.seal("sk-123");
    for (let place = 0; place < sealed.length; place++) {
      const other = sealed[place] === "A" ? "B" : "A";
      // The last character has bits that are not used.
      if (place === sealed.length - 1) continue;
      expect(() => box.open(sealed.slice(0, place) + other + sealed.slice(place + 1))).toThrow(
        /key that sealed|authenticate|auth/i,
      );
    }
  });

  test("opens with its older key besides a newer one, but not without it", () => {
    const sealed = box.seal("text");
    expect(createSecretBox(["new", "one secret"]).open(sealed)).toBe("text");
    expect(() => createSecretBox(["new"]).open(sealed)).toThrow(/set GRAPHLIB_SECRET as it was/);
  });
});

test("the platform's own secret is created once, for this user alone", () => {
  const file = join(folder, "home", "secret");
  const secret = secretOf(file);
  expect(secret.length).toBeGreaterThan(40);
  expect(secretOf(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
