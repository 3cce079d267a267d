import fc from "fast-check";
import { expect, test } from "vitest";
import { RevisionState } from "../../../lib/protocol/revisions.ts";
import { type ServingFacts, whyNotServed } from "../../../lib/rules/revisions/not-served.ts";

const states = fc.constantFrom(...RevisionState.options);
const unserved = fc.record<ServingFacts>(
  {
    name: fc.constantFrom("bot", "my-agent"),
    wanted: fc.constantFrom("running", "stopped", "deleted"),
    live: fc.option(fc.integer({ min: 1, max: 9 })),
    newest: fc.record({ number: fc.integer({ min: 1, max: 9 }), state: states }),
    starting: fc.boolean(),
  },
  { requiredKeys: ["name", "wanted", "live", "starting"] },
);

test("the message has the deployment's name, and a retry time only for one that is to run", () => {
  fc.assert(
    fc.property(unserved, (one) => {
      const { message, retryAfter } = whyNotServed(one);
      expect(message).toContain(`Deployment "${one.name}"`);
      expect(message).not.toMatch(/undefined|null|_/);
      if (retryAfter !== undefined) expect(one.wanted).toBe("running");
    }),
  );
});

const base = { name: "bot", wanted: "running", live: null, starting: false } as const;
test.each<[ServingFacts, string, number | undefined]>([
  [{ ...base, wanted: "stopped", live: 2 }, "is stopped. Start it in the console", undefined],
  [{ ...base, wanted: "deleted" }, "is being deleted", undefined],
  [base, "is being created", 2],
  [{ ...base, newest: { number: 1, state: "queued" } }, "is not live yet: its revision 1 waits to be built.", 10],
  [{ ...base, newest: { number: 3, state: "installing" } }, "revision 3 is being built (installing).", 10],
  [{ ...base, newest: { number: 1, state: "install_failed" } }, "revision 1 is not built (install failed).", undefined],
  [{ ...base, newest: { number: 1, state: "cancelled" } }, "revision 1 is cancelled.", undefined],
  [{ ...base, live: 1, starting: true, newest: { number: 1, state: "live" } }, "is starting.", 2],
  [
    { ...base, live: 1, newest: { number: 1, state: "failed" } },
    "could not be started: revision 1 is failed.",
    undefined,
  ],
  [{ ...base, live: 1, newest: { number: 2, state: "cloning" } }, "could not be started: its revision 2 is being", 10],
])("%j gives: %s", (one, words, after) => {
  const { message, retryAfter } = whyNotServed(one);
  expect(message).toContain(words);
  expect(retryAfter).toBe(after);
});
