import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCursor, encodeCursor, type ListPosition } from "../../lib/rules/cursor.ts";

const time = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
const position = fc.record({ time: time.map((date) => date.toISOString()), id: fc.uuid() });
const sort = fc.constantFrom("created_at asc", "created_at desc", "updated_at desc");

describe("a cursor", () => {
  test("is decoded to the position that was encoded", () => {
    fc.assert(
      fc.property(sort, position, (of, at) => {
        expect(decodeCursor(of, encodeCursor(of, at))).toEqual(at);
      }),
    );
  });

  test("has only characters that need no escape in a header or an address", () => {
    fc.assert(
      fc.property(sort, position, (of, at) => {
        expect(encodeCursor(of, at)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  test("of another order is refused, and the message names both", () => {
    fc.assert(
      fc.property(sort, sort, position, (of, other, at) => {
        fc.pre(of !== other);
        const { problem } = decodeCursor(other, encodeCursor(of, at)) as { problem: string };
        expect(problem).toContain(`sorted by ${of}, not by ${other}`);
      }),
    );
  });

  test("that is anything else is refused", () => {
    const odd: fc.Arbitrary<string> = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString("base64url")),
      fc.tuple(position, fc.string()).map(([at, text]) => `${encodeCursor("created_at desc", at)}.${text}`),
      fc.string().map((text) => encodeCursor("created_at desc", { time: text, id: crypto.randomUUID() })),
      fc.string().map((id) => encodeCursor("created_at desc", { time: new Date(0).toISOString(), id })),
    );
    fc.assert(
      fc.property(odd, (text) => {
        expect(decodeCursor("created_at desc", text)).toEqual({
          problem: expect.stringContaining("expected a cursor"),
        });
      }),
    );
  });

  test("is bound to what it says: no other text is decoded to the same position", () => {
    const at: ListPosition = { time: new Date(0).toISOString(), id: crypto.randomUUID() };
    const cursor = encodeCursor("created_at desc", at);
    expect(decodeCursor("created_at desc", ` ${cursor}`)).toHaveProperty("problem");
    expect(decodeCursor("created_at desc", `${cursor}=`)).toHaveProperty("problem");
  });
});
