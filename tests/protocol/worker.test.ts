import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadLine } from "../../lib/protocol/line-checks.ts";
import { encodePieceLine } from "../../lib/protocol/piece-lines.ts";
import { encodeEndLines, encodeEventLine, lineDecoder } from "../../lib/protocol/worker-lines.ts";
import { anyLine, plausibleLine } from "../support/worker-lines.ts";

const eventName = fc
  .tuple(fc.constantFrom("values", "messages", "messages/partial", "updates", "custom"), fc.string())
  .map(([mode, namespace]) => `${mode}|${namespace.replace(/\p{Cc}/gu, " ")}`);
const runId = fc.string({ maxLength: 100 });
const decode = lineDecoder();
/** A line with a template, without its text. */
const TEMPLATE = '{"type":"piece","run":"1","token":1,"event":"messages","before":"[{\\"content\\":","after":"}]"';

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
    ["a piece of a run without a template", '{"type":"piece","run":"1","token":1,"text":"a"}'],
    ["a piece whose text is no string", `${TEMPLATE},"text":1}`],
    ["a piece of the host's own event", `${TEMPLATE.replace("messages", "end")},"text":"a"}`],
    ["a piece around which nothing is", '{"type":"piece","run":"1","token":1,"event":"messages","text":"a"}'],
    ["a piece in what is no JSON", `${TEMPLATE.replace("}]", "}")},"text":"a"}`],
    ["a piece in a long text", `${TEMPLATE.replace("}]", `,"b":"${"x".repeat(8_192)}"}]`)},"text":"a"}`],
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
    // Earlier lines may have left a template for the run of this one.
    const decodeFirst = lineDecoder();
    expect(() => decodeFirst(line)).toThrow(BadLine);
  });

  test("is refused with the path of the wrong member", () => {
    expect(() => decode('{"type":"ready","graphs":null,"langgraph":""}')).toThrow(
      "ready: graphs: Invalid input: expected array, received null",
    );
  });
});

describe("a piece", () => {
  const lineOf = (run: string, token: number, text: string, after?: string): string =>
    encodePieceLine(run, token, text, after === undefined ? undefined : { event: "messages", before: "[{", after });

  test("has the text around it that its run has sent last, until the run ends", () => {
    const step = fc.record({ run: fc.constantFrom("a", 'b"\\', "__proto__"), token: fc.nat(1), text: fc.string() });
    const kind = fc.oneof(
      fc.constant("piece"),
      fc.constant("end"),
      fc.constantFrom("}]", ",1}]").map((after) => ({ after })),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(step, kind)), (steps) => {
        const read = lineDecoder();
        const templates = new Map<string, string>();
        for (const [{ run, token, text }, what] of steps) {
          const key = JSON.stringify([run, token]);
          if (what === "end") {
            read(encodeEndLines({ run, token, status: "success" }).trimEnd());
            templates.delete(key);
            continue;
          }
          if (typeof what === "object") templates.set(key, what.after);
          const json = JSON.stringify(text);
          const line = lineOf(run, token, json, typeof what === "object" ? what.after : undefined).trimEnd();
          const after = templates.get(key);
          if (after === undefined) expect(() => read(line)).toThrow(BadLine);
          else expect(read(line)).toEqual({ type: "event", run, token, event: "messages", data: `[{${json}${after}` });
        }
      }),
    );
  });

  test("is refused when too many runs have a template, and its text is a string and nothing more", () => {
    const read = lineDecoder();
    for (let run = 0; run < 2_000; run++) read(lineOf(String(run), 1, '""', "}]").trimEnd());
    expect(() => read(lineOf("one more", 1, '""', "}]").trimEnd())).toThrow("too many runs");
    for (const text of ["1", '"a","b":1', '"a"]', "", '"a'])
      expect(() => read(lineOf("7", 1, text).trimEnd())).toThrow(BadLine);
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
