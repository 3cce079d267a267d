import fc from "fast-check";
import { expect, test } from "vitest";
import { isObject, parseJson } from "../../../lib/protocol/json.ts";
import type { ThreadEvent } from "../../../lib/protocol/thread-stream.ts";
import { isPythonClient, isPythonSocket, pythonEventConverter } from "../../../lib/rules/thread-stream/python.ts";
import { events, replay } from "./runs.ts";

const dataOf = ({ data }: ThreadEvent) => parseJson(data) as Record<string, unknown>;
const convert = (list: readonly ThreadEvent[]): ThreadEvent[] => list.flatMap(pythonEventConverter());

test("Python clients receive the same events, with namespaces of graphs, and only the run's own lifecycle ends", () => {
  fc.assert(
    fc.property(events, (list) => {
      const happened = replay(list);
      const converted = convert(happened);
      for (const event of converted) {
        const { namespace, data, ...same } = happened.find(({ event_id }) => event_id === event.event_id) ?? event;
        expect(event).toMatchObject(same);
        const says = event.method === "messages" || event.method === "tools";
        expect(event.namespace).toEqual(says ? namespace.slice(0, -1) : namespace);
        const { metadata: _of, ...rest } = parseJson(data) as Record<string, unknown>;
        expect(dataOf(event)).toMatchObject(rest);
      }
      const lives = converted.filter(({ method, namespace }) => method === "lifecycle" && namespace.length > 0);
      for (const life of lives) {
        expect(dataOf(life).event).toBe("started");
        expect(
          converted.some((one) => one.method === "tasks" && String(one.namespace) === String(life.namespace)),
        ).toBe(true);
      }
      const kept = ({ method, namespace }: ThreadEvent) => method !== "lifecycle" || namespace.length === 0;
      expect(converted.filter(kept).map(({ event_id }) => event_id)).toEqual(
        happened.filter(kept).map(({ event_id }) => event_id),
      );
    }),
  );
});

test("events of a message carry its id and its node, which distinguish two concurrent messages", () => {
  fc.assert(
    fc.property(events, (list) => {
      for (const event of convert(replay(list)).filter(({ method }) => method === "messages")) {
        const { event: kind, id, message_id, metadata } = dataOf(event);
        expect(kind === "message-start" ? id : message_id).toBe(event.message_id);
        if (kind === "message-start") expect(isObject(metadata) && metadata.langgraph_node).toBe(event.node);
      }
    }),
  );
});

const event = (method: ThreadEvent["method"], namespace: string[], data: object): ThreadEvent => {
  const id = `${method} ${namespace.join("|")} ${JSON.stringify(data)}`;
  return { seq: 1, event_id: id, method, namespace, timestamp: 0, data: JSON.stringify(data) };
};

test("a node starts for Python clients at the first task inside of it, which shows that it is a graph", () => {
  const started = event("lifecycle", ["child:1"], { event: "started" });
  const plain = event("lifecycle", ["model:2"], { event: "started" });
  const values = event("values", ["child:1"], {});
  const task = event("tasks", ["child:1"], { id: "3", name: "inside" });
  const ended = [["child:1"], ["model:2"]].map((namespace) => event("lifecycle", namespace, { event: "completed" }));
  expect(convert([started, plain, values, task, task, ...ended])).toEqual([values, started, task, task]);
});

test("an interrupt has its value under both names", () => {
  const requested = event("input.requested", [], { interrupt_id: "i", payload: { q: "ok?" } });
  expect(convert([requested]).map(dataOf)).toEqual([{ interrupt_id: "i", payload: { q: "ok?" }, value: { q: "ok?" } }]);
});

test("the Python client is recognised by its user agent", () => {
  const isPython = (headers: Record<string, string>) => isPythonClient(new Headers(headers));
  expect(isPython({ "user-agent": "langgraph-sdk-py/0.4.5" })).toBe(true);
  expect(isPython({ "user-agent": "my-agent/1", "Cache-Control": "no-store" })).toBe(true);
  expect(isPython({ "user-agent": "node", "cache-control": "no-cache" })).toBe(false);
  expect(isPython({})).toBe(false);
});

test("its WebSockets are recognised by their user agent, or by the lack of headers that browsers and Node.js send", () => {
  const isPython = (headers: Record<string, string>) => isPythonSocket(new Headers(headers));
  expect(isPython({ "user-agent": "Python/3.11 websockets/17.4" })).toBe(true);
  expect(isPython({ "user-agent": "Python/3.11 websockets/17.4", "cache-control": "no-cache" })).toBe(true);
  expect(isPython({ "user-agent": "langgraph-sdk-py/0.4.14" })).toBe(true);
  expect(isPython({ "user-agent": "my-agent/1" })).toBe(true);
  expect(isPython({ "user-agent": "node", pragma: "no-cache", "cache-control": "no-cache" })).toBe(false);
  expect(isPython({ "x-api-key": "of the package ws" })).toBe(false);
});
