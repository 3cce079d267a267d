import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideClaim, receiverOf, SLOTS, SLOTS_A_HOST } from "../../../lib/rules/webhooks/receivers.ts";

const hosts = fc.constantFrom("a.example", "b.example:8443", "c.example", "");

describe("deliveries under way", () => {
  test("never use more slots than there are, nor more for one host than its share", () => {
    const steps = fc.array(fc.oneof(fc.record({ waiting: fc.array(hosts) }), fc.record({ ends: fc.nat(SLOTS) })));
    fc.assert(
      fc.property(steps, (all) => {
        let underway: string[] = [];
        for (const step of all) {
          if ("ends" in step) underway = underway.toSpliced(step.ends, 1);
          else {
            const { limit, busy } = decideClaim(underway);
            const taken = step.waiting.filter((host) => !busy.includes(host)).slice(0, limit);
            underway = [...underway, ...taken];
          }
          expect(underway.length).toBeLessThanOrEqual(SLOTS);
          for (const host of underway.filter((one) => one !== ""))
            expect(underway.filter((one) => one === host).length).toBeLessThanOrEqual(SLOTS_A_HOST);
        }
      }),
    );
  });

  test("leave a slot for a new host, while any slot is free", () => {
    const many = fc.array(hosts, { maxLength: SLOTS - 1 });
    fc.assert(
      fc.property(many, (underway) => {
        const { limit, busy } = decideClaim(underway);
        expect(limit).toBeGreaterThanOrEqual(1);
        expect(busy).not.toContain("new.example");
      }),
    );
  });

  test("are counted by host and port, in any spelling of the host", () => {
    expect(receiverOf("https://A.example:443/x?y")).toBe("a.example");
    expect(receiverOf("http://0x7f.1:80/")).toBe("127.0.0.1");
    expect(receiverOf("https://[::1]:1/")).toBe("[::1]:1");
    expect(receiverOf("/threads")).toBe("");
  });
});
