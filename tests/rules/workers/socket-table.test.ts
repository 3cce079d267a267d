import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type SocketAddress,
  endpointText,
  findRow,
  mapped,
  unmapped,
} from "../../../lib/rules/workers/socket-table.ts";

const byte = fc.nat(255);
const port = fc.nat(65_535);
const v4: fc.Arbitrary<SocketAddress> = fc.record({ address: fc.array(byte, { minLength: 4, maxLength: 4 }), port });
const v6: fc.Arbitrary<SocketAddress> = fc.record({ address: fc.array(byte, { minLength: 16, maxLength: 16 }), port });

test("an endpoint is written in the format of Linux", () => {
  expect(endpointText({ address: [127, 0, 0, 1], port: 2024 }, true)).toBe("0100007F:07E8");
  expect(endpointText({ address: [127, 0, 0, 1], port: 2024 }, false)).toBe("7F000001:07E8");
  const loopback = { address: [...Array<number>(15).fill(0), 1], port: 80 };
  expect(endpointText(loopback, true)).toBe("00000000000000000000000001000000:0050");
  expect(endpointText(mapped({ address: [127, 0, 0, 1], port: 80 }), true)).toBe(
    "0000000000000000FFFF00000100007F:0050",
  );
});

test("unmapped inverts mapped", () => {
  fc.assert(
    fc.property(v4, (end) => {
      expect(unmapped(mapped(end))).toEqual(end);
    }),
  );
});

test("two endpoints have the same text only when they are the same", () => {
  const isSame = (a: SocketAddress, b: SocketAddress): boolean => JSON.stringify(a) === JSON.stringify(b);
  for (const family of [v4, v6]) {
    fc.assert(
      fc.property(family, family, fc.boolean(), (a, b, little) => {
        expect(endpointText(a, little) === endpointText(b, little)).toBe(isSame(a, b));
      }),
    );
  }
});

const row = (at: number, [near, far]: readonly string[], uid: number, inode: number): string =>
  `${String(at).padStart(4)}: ${near} ${far} 01 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 00000000f33bbbc5 20 4 30 10 -1\n`;

test("the row of two endpoints is found among others, and no other one", () => {
  const ends = fc.tuple(v4, v4).map(([a, b]) => [endpointText(a, true), endpointText(b, true)] as const);
  const rows = fc.uniqueArray(fc.record({ ends, uid: fc.nat(4_000_000_000), inode: fc.nat() }), {
    selector: (one) => one.ends.join(" "),
    minLength: 1,
  });
  fc.assert(
    fc.property(rows, ends, (all, other) => {
      const table = `  sl  local_address rem_address\n${all.map((one, at) => row(at, one.ends, one.uid, one.inode)).join("")}`;
      for (const one of all) expect(findRow(table, one.ends)).toEqual({ uid: one.uid, inode: one.inode });
      fc.pre(!all.some((one) => one.ends.join() === other.join()));
      expect(findRow(table, other)).toBeUndefined();
    }),
  );
});

test("any table can be searched without throwing", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (table, near, far) => {
      findRow(table, [near, far]);
    }),
  );
});
