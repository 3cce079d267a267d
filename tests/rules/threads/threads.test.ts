import fc from "fast-check";
import { expect, test } from "vitest";
import { RunEnd } from "../../../lib/protocol/stream.ts";
import { ThreadStatus } from "../../../lib/protocol/threads.ts";
import { extractAll } from "../../../lib/rules/threads/extract.ts";
import {
  statusAfterChange,
  statusAfterRun,
  threadActivities,
  threadStatusAfter,
} from "../../../lib/rules/threads/status.ts";

const ends = RunEnd.shape.status.options;

test("a path finds the value that its steps lead to, and null where there is none", () => {
  const from = { values: { messages: [{ content: "a" }, { content: "b" }] } };
  const at = (path: string) => extractAll(from, { it: path }).it;
  expect(at("values.messages[0].content")).toBe("a");
  expect(at("values.messages[-1].content")).toBe("b");
  expect(at("values.messages[7].content")).toBeNull();
  expect(at("values.constructor.name")).toBeNull();
});

test("any path of keys and indexes in a value is found", () => {
  const key = fc.stringMatching(/^[a-z_]{1,6}$/);
  const steps = fc.array(fc.oneof(key, fc.nat(3)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(steps, fc.jsonValue(), (path, value) => {
      const from = path.reduceRight<unknown>(
        (inner, step) => (typeof step === "number" ? [...Array<null>(step).fill(null), inner] : { [step]: inner }),
        value,
      );
      const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
      expect(extractAll(from, { it: text }).it).toEqual(value);
    }),
  );
});

test("a thread's status after a run is error, else interrupted, else busy while other runs are in flight", () => {
  fc.assert(
    fc.property(fc.constantFrom(...ends), fc.boolean(), fc.nat(3), (ended, waiting, inFlight) => {
      expect(threadStatusAfter(ended, { waiting, inFlight: inFlight + 1, begun: false })).toBe("busy");
      const status = threadStatusAfter(ended, { waiting, inFlight, begun: true });
      expect(threadStatusAfter(ended, { waiting, inFlight: 0, begun: false })).toBe(
        threadStatusAfter(ended, { waiting, inFlight: 0, begun: true }),
      );
      if (ended === "error" || ended === "timeout") expect(status).toBe("error");
      else if (waiting) expect(status).toBe("interrupted");
      else expect(status).toBe(inFlight > 0 ? "busy" : "idle");
    }),
  );
});

test("every end of a run, and every update of a state, has a status of the thread", () => {
  expect(Object.keys(statusAfterRun).toSorted()).toEqual([...ends].toSorted());
  for (const row of Object.values(statusAfterRun)) {
    expect(Object.keys(row).toSorted()).toEqual([...threadActivities].toSorted());
    for (const status of Object.values(row)) expect(ThreadStatus.options).toContain(status);
  }
  for (const before of ThreadStatus.options) {
    const { waits, rests } = statusAfterChange[before];
    expect([waits, rests], before).toEqual(before === "busy" ? [null, null] : ["interrupted", "idle"]);
  }
});
