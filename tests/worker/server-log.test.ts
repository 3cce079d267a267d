import fc from "fast-check";
import { expect, test } from "vitest";
import { createServerLog } from "../../lib/drivers/workers/server-log.ts";

/** Returns the lines that are logged while the clock stands still. */
function logged(pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const log = createServerLog({ now: () => 0, echo: ({ text }) => lines.push(text) });
  for (const piece of pieces) log.print("out", piece);
  return lines;
}

test("output is logged line by line, however it is cut into chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "\n", "é", "\r", " ") })), (pieces) => {
      const all = pieces.join("");
      const lines = all.split("\n").slice(0, -1);
      expect(logged(pieces)).toEqual(lines.map((line) => line.replace(/\r$/, "").replaceAll("\r", " ")));
    }),
  );
});

test("after a flood the number of omitted lines is logged, then the last of them", async () => {
  let time = 0;
  let floods = 0;
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const log = createServerLog({
    now: () => time,
    echo({ text }) {
      lines.push(text);
      if (text === "99999") resolve();
    },
    flooded: () => floods++,
  });
  for (let from = 0; from < 100_000; from += 3_000)
    log.print("out", Array.from({ length: Math.min(3_000, 100_000 - from) }, (_, n) => `${from + n}\n`).join(""));
  expect(lines).toHaveLength(1_000);
  time = 60_000;
  await promise;
  expect(lines[1_000]).toBe("(98,980 lines left out: more were printed than a log takes)");
  expect(lines.slice(1_001)).toEqual(Array.from({ length: 20 }, (_, n) => String(99_980 + n)));
  expect(floods).toBe(1);
});
