import fc from "fast-check";
import { expect, test } from "vitest";
import type { Source } from "../../../lib/protocol/sources.ts";
import { isSameSource, keptSource } from "../../../lib/rules/sources/same-source.ts";

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const word = fc.constantFrom("a", "b");
const source: fc.Arbitrary<Source> = fc.oneof(
  fc.record({
    type: fc.constant("git" as const),
    url: fc.constantFrom("https://host/a", "https://HOST/a.git", "git@host:a.git", "https://host/b"),
    ref: maybe(word),
    folder: maybe(word),
  }),
  fc.record({ type: fc.constant("folder" as const), path: fc.constantFrom("/a", "/b"), in_place: maybe(fc.boolean()) }),
  fc.record({
    type: fc.constant("upload" as const),
    upload_id: fc.uuid(),
    file_name: maybe(word),
    folder: maybe(word),
  }),
);

test("every source is the same as itself, and sameness is symmetric", () => {
  fc.assert(
    fc.property(source, source, (a, b) => {
      expect(isSameSource(a, a)).toBe(true);
      expect(isSameSource(a, b)).toBe(isSameSource(b, a));
    }),
  );
});

test("new members of a source win; the others are kept, but only for the same source", () => {
  fc.assert(
    fc.property(source, source, (before, wanted) => {
      const kept = keptSource(before, wanted);
      expect(kept).toMatchObject(JSON.parse(JSON.stringify(wanted)));
      expect(keptSource(kept, wanted)).toEqual(kept);
      if (!isSameSource(before, wanted)) expect(kept).toBe(wanted);
      else expect(kept).toEqual({ ...before, ...JSON.parse(JSON.stringify(wanted)) });
    }),
  );
});

test("a repository is the same by each of its addresses, at any ref", () => {
  const one = { type: "git", url: "https://github.com/Acme/Bot.git", ref: "main" } as const;
  for (const url of [
    "git@github.com:acme/bot.git",
    "ssh://git@github.com:22/acme/bot",
    "https://github.com/acme/bot/",
  ]) {
    expect(isSameSource(one, { type: "git", url })).toBe(true);
  }
  expect(isSameSource(one, { type: "git", url: "https://github.com/acme/bot2" })).toBe(false);
});
