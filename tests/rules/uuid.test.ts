import { createHash } from "node:crypto";
import fc from "fast-check";
import { v5 } from "uuid";
import { expect, test } from "vitest";
import { assistantIdOf, isUuid } from "../../lib/rules/uuid.ts";

const sha1 = (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest();

test("the id of a graph's assistant is the version 5 UUID of its name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(assistantIdOf(name, sha1)).toBe(v5(name, "6ba7b821-9dad-11d1-80b4-00c04fd430c8"));
      expect(isUuid(assistantIdOf(name, sha1))).toBe(true);
    }),
  );
});

test("the assistants of agent and chat have the ids that public clients use", () => {
  expect(assistantIdOf("agent", sha1)).toBe("fe096781-5601-53d2-b2f6-0d3403f7e9ca");
  expect(assistantIdOf("chat", sha1)).toBe("eb6db400-e3c8-5d06-a834-015cb89efe69");
});
