import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadLine, encodeEndLines, encodeEventLine, lineDecoder } from "../../lib/protocol/worker-lines.ts";
import { anyLine, plausibleLine } from "../support/worker-lines.ts";

const eventName = fc
  .tuple(fc.constantFrom("values", "messages", "messages/partial", "updates", "custom"), fc.string())
  .map(([mode, namespace]) => `${mode}|${namespace.replace(/\p{Cc}/gu, " ")}`);
const runId = fc.string({ maxLength: 100 });
const decode = lineDecoder();

test("an event's data passes the channel unparsed and unchanged", () => {
  fc.assert(
    fc.property(runId, fc.nat(), eventName, fc.json(), (run, token, event, data) => {
      const line = encodeEventLine(run, token, event, data);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      const expected = { type: "event", run, token, event, data };
      expect([decode(line.slice(0, -1)), decode(line.slice(0, -1))]).toEqual([expected, expected]);
    }),
  );
});

test("an event line is also JSON for an ordinary parser", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.jsonValue(), (run, event, data) => {
      const line = encodeEventLine(run, 1, event, JSON.stringify(data));
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ type: "event", run, token: 1, event, data })));
    }),
  );
});

test("a thread's values pass the channel unparsed and unchanged, before the end", () => {
  const end = { run: "r", token: 1, status: "success" as const };
  fc.assert(
    fc.property(fc.json(), fc.jsonValue(), (values, value) => {
      const interrupts = { task: [{ id: "i", value }] };
      const lines = encodeEndLines(end, { values, next: ["node"], interrupts }).split("\n");
      expect(lines.pop()).toBe("");
      expect(lines.map(decode)).toEqual([
        { type: "values", run: "r", token: 1, data: values },
        { type: "end", ...end, thread: { next: ["node"], interrupts: JSON.parse(JSON.stringify(interrupts)) } },
      ]);
    }),
  );
  expect(decode(encodeEndLines(end))).toEqual({ type: "end", ...end });
});

describe("a malformed line", () => {
  test("is refused with a short message, whatever it is", () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        try {
          expect(decode(line)).toHaveProperty("type");
        } catch (error) {
          expect(error).toBeInstanceOf(BadLine);
          expect((error as BadLine).message.length).toBeLessThan(500);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  test("is never reported for a line that has the form of a message", () => {
    fc.assert(
      fc.property(plausibleLine, (line) => void decode(line)),
      { numRuns: 2_000 },
    );
  });

  const bad: [what: string, line: string][] = [
    ["nothing", ""],
    ["no object", "[]"],
    ["of an unknown type", '{"type":"constructor"}'],
    ["an event without data", '{"type":"event","run":"1","token":1,"event":"custom"}'],
    ["an event with nothing for data", '{"type":"event","run":"1","token":1,"event":"custom","data":}'],
    ["an event with more than its data", '{"type":"event","run":"1","token":1,"event":"custom","data":1}garbage'],
    ["an event of a numeric run", '{"type":"event","run":1,"token":1,"event":"custom","data":1}'],
    ["an event with a line end in its name", '{"type":"event","run":"1","token":1,"event":"custom\\nid: 7","data":1}'],
    ["the host's own event `end`", '{"type":"event","run":"1","token":1,"event":"end","data":{}}'],
    ["the host's own event `error`", '{"type":"event","run":"1","token":1,"event":"error","data":{}}'],
    ["the host's own event `metadata`", '{"type":"event","run":"1","token":1,"event":"metadata","data":{}}'],
    ["values that are not JSON", '{"type":"values","run":"1","token":1,"data":{]}'],
    ["ready without graphs", '{"type":"ready","graphs":null}'],
    ["an end of a numeric run", '{"type":"end","run":1,"token":1,"status":"success"}'],
    ["an end of no status", '{"type":"end","run":"1","token":1,"status":"idle"}'],
    [
      "a host request of a numeric run",
      '{"type":"ask","id":1,"run":7,"token":0,"ask":{"about":"store","operations":[]}}',
    ],
    ["a host request about something else", '{"type":"ask","id":1,"run":"7","token":0,"ask":{"about":"__proto__"}}'],
    [
      "a checkpoint that is no object",
      '{"type":"ask","id":1,"run":"7","token":0,"ask":{"about":"checkpoint","do":"put","thread":"t","ns":"","id":"1","checkpoint":"[]","metadata":"{}","versions":[]}}',
    ],
    ["a response of status 99", '{"type":"response","id":1,"status":99,"headers":[],"passed":false,"hasBody":false}'],
    [
      "a response of status 1000",
      '{"type":"response","id":1,"status":1000,"headers":[],"passed":false,"hasBody":false}',
    ],
    ["a body with status 204", '{"type":"response","id":1,"status":204,"headers":[],"passed":false,"hasBody":true}'],
    [
      "a header with a line end",
      '{"type":"response","id":1,"status":200,"headers":[["a","b\\r\\nc: d"]],"passed":false,"hasBody":false}',
    ],
    [
      "a header that is a list",
      '{"type":"response","id":1,"status":200,"headers":[["set-cookie",["a"]]],"passed":false,"hasBody":false}',
    ],
    ["a vector with something else than numbers", '{"type":"embedded","id":1,"vectors":[[1,null]]}'],
    ["a vector with an infinite number", '{"type":"embedded","id":1,"vectors":[[1e999]]}'],
    [
      "a refusal with a status of success",
      '{"type":"guarded","id":1,"answer":{"refusal":{"status":200,"message":"","headers":[]}}}',
    ],
    ["a drawing without nodes", '{"type":"described","id":1,"drawing":{"edges":[]}}'],
    ["nested too deep", `{"type":"stated","id":1,"answer":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
    ["a million lists", `{"type":"stated","id":1,"answer":[${"[],".repeat(1_000_001)}0]}`],
    ["null characters where there are none", '{"type":"pong",\0"id":1}'],
  ];
  test.each(bad)("%s", (_, line) => {
    expect(() => decode(line)).toThrow(BadLine);
  });

  test("is refused with the path of the wrong member", () => {
    expect(() => decode('{"type":"ready","graphs":null,"langgraph":""}')).toThrow(
      "ready: graphs: Invalid input: expected array, received null",
    );
  });
});

test("members with the names of prototypes stay ordinary members", () => {
  const line = decode('{"type":"guarded","id":1,"answer":{"returned":{"__proto__":{"identity":"root"}}}}');
  const { returned } = (line as unknown as { answer: { returned: object } }).answer;
  expect(Object.getPrototypeOf(returned)).toBe(Object.prototype);
  expect("identity" in returned).toBe(false);
});

test("an event with more than 1,000,000 values is refused", () => {
  const lists = (count: number): string =>
    encodeEventLine("r", 1, "values", `{"x":[${"[],".repeat(count)}1]}`).trimEnd();
  expect(() => lineDecoder()(lists(1_000_001))).toThrow(new BadLine("a line of too many values"));
  expect(lineDecoder()(lists(900_000))).toMatchObject({ type: "event", event: "values" });
});
