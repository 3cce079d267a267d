import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeMessage, packInput, RawJson, unpackInput } from "../../lib/protocol/raw-json.ts";

const LONG = "x".repeat(300_000);
const others = fc.record({ config: fc.jsonValue(), command: fc.jsonValue(), metadata: fc.jsonValue() });

test("an object with a large input is unpacked as it was packed, without parsing the input", () => {
  fc.assert(
    fc.property(others, fc.jsonValue(), fc.boolean(), (rest, value, isLarge) => {
      const input = isLarge ? { value, long: LONG, odd: ',"input":}' } : value;
      const whole = { input, ...rest };
      const packed = packInput(whole);
      // Code that does not know of `RawJson` reads it as JSON.
      expect(JSON.parse(packed)).toMatchObject(JSON.parse(JSON.stringify(whole)) as object);
      const unpacked = unpackInput(packed) as typeof whole;
      expect(unpacked.input instanceof RawJson).toBe(isLarge);
      expect(JSON.parse(JSON.stringify(unpacked))).toEqual(JSON.parse(JSON.stringify(whole)));
    }),
    { numRuns: 50 },
  );
});

test("a message with a raw input is encoded like one with its value, and the text is released once taken", () => {
  const input = { messages: [LONG] };
  const raw = new RawJson(JSON.stringify(input));
  expect(JSON.parse(encodeMessage({ type: "run", input: raw, run: "1" }))).toEqual({ type: "run", input, run: "1" });
  expect(raw.take()).toBe("null");
  expect(encodeMessage({ type: "run", input: 1 })).toBe('{"type":"run","input":1}');
});
