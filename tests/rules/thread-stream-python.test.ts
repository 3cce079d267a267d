import fc from "fast-check";
import { expect, test } from "vitest";
import { isPythonClient, toldToPython } from "../../lib/rules/thread-stream-python.ts";
import { events, replay } from "./thread-stream-runs.ts";

test("what Python is told is what happened, under graphs instead of nodes, and only the run itself ends", () => {
  fc.assert(
    fc.property(events, (list) => {
      for (const event of replay(list)) {
        const told = toldToPython(event);
        if (!told) {
          expect(event).toMatchObject({ method: "lifecycle" });
          expect(event.namespace).not.toEqual([]);
          expect(event.data).not.toContain('"started"');
          continue;
        }
        const says = event.method === "messages" || event.method === "tools";
        expect(told).toEqual({ ...event, namespace: says ? event.namespace.slice(0, -1) : event.namespace });
      }
    }),
  );
});

test("the client for Python is known by its name", () => {
  const isPython = (headers: Record<string, string>) => isPythonClient(new Headers(headers));
  expect(isPython({ "user-agent": "langgraph-sdk-py/0.4.5" })).toBe(true);
  expect(isPython({ "user-agent": "my-agent/1", "Cache-Control": "no-store" })).toBe(true);
  expect(isPython({ "user-agent": "node", "cache-control": "no-cache" })).toBe(false);
  expect(isPython({})).toBe(false);
});
