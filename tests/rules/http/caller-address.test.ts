import fc from "fast-check";
import { expect, test } from "vitest";
import { callerAddress, UNKNOWN_ADDRESS } from "../../../lib/rules/http/caller-address.ts";

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const from = (peer: string | undefined): string => callerAddress({ peer, forwardedFor: undefined, trustProxy: false });

test("the address is that of the connection, whatever header the client sends", () => {
  fc.assert(
    fc.property(v4, fc.string(), (peer, forwardedFor) => {
      expect(callerAddress({ peer, forwardedFor, trustProxy: false })).toBe(peer);
    }),
  );
});

test("the address is the last one in the header of a trusted proxy, whatever stands before it", () => {
  fc.assert(
    fc.property(v4, v4, fc.string(), fc.nat(65_535), (peer, client, forged, port) => {
      for (const last of [client, ` ${client} `, `${client}:${port}`, `[::ffff:${client}]:${port}`]) {
        expect(callerAddress({ peer, forwardedFor: `${forged},${last}`, trustProxy: true })).toBe(client);
      }
      expect(callerAddress({ peer, forwardedFor: `${client}, unknown`, trustProxy: true })).toBe(peer);
      expect(callerAddress({ peer, forwardedFor: undefined, trustProxy: true })).toBe(peer);
    }),
  );
});

test("an IPv4 address is the same in its IPv6 form", () => {
  fc.assert(
    fc.property(v4, (address) => {
      expect(from(`::ffff:${address}`)).toBe(address);
    }),
  );
  expect(from("::ffff:7f00:1")).toBe("127.0.0.1");
});

test("an IPv6 address is reduced to its network of 64 bits", () => {
  const half = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
  const text = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(":");
  fc.assert(
    fc.property(half, half, half, half, (network, host, other, elsewhere) => {
      fc.pre(network.some((group) => group !== 0) && network.join() !== elsewhere.join());
      expect(from(text([...network, ...host]))).toBe(from(text([...network, ...other])));
      expect(from(text([...network, ...host]))).not.toBe(from(text([...elsewhere, ...host])));
    }),
  );
  expect(from("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(from("fe80::1%eth0")).toBe("fe80::/64");
});

test("there is always an address, for any input", () => {
  fc.assert(
    fc.property(fc.option(fc.oneof(fc.string(), v4, v6), { nil: undefined }), fc.string(), (peer, forwardedFor) => {
      expect(callerAddress({ peer, forwardedFor, trustProxy: true })).not.toBe("");
    }),
  );
  expect(from(undefined)).toBe(UNKNOWN_ADDRESS);
  for (const odd of ["1.2.3", "0x7f.1", "localhost", "2130706433"]) expect(from(odd)).toBe(UNKNOWN_ADDRESS);
});
