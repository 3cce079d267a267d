import { describe, expect, it } from "vitest";
import { contentOf, findDifference } from "./stream-content.ts";

const reply = { content: "Hello.", type: "ai", id: "1" };
const event = (name: string, data: unknown, id = 0): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
const update = (message: unknown): string => event("updates", { node: { messages: [message] } });

describe("the content of a stream", () => {
  it("is every event's name and its messages", () => {
    expect(contentOf(event("metadata", { run_id: "a" }) + update(reply))).toEqual([
      "metadata []",
      'updates [{"type":"ai","content":"Hello."}]',
    ]);
  });

  it("does not depend on ids, on metadata and on line ends", () => {
    const here = event("messages", [reply, { run_id: "a" }]);
    const there = event("messages", [{ ...reply, id: "2" }, { langgraph_plan: "b" }], 7).replaceAll("\n", "\r\n");
    expect(findDifference(here, there)).toBeUndefined();
  });

  it("differs by a text, an event's name, or an event more or less", () => {
    const changed = update({ ...reply, content: "Hi." });
    expect(findDifference(update(reply), changed)).toContain("event 0 is updates");
    expect(findDifference(update(reply), event("values", { messages: [reply] }))).toContain("event 0");
    expect(findDifference(update(reply), update(reply) + update(reply))).toContain("event 1 is missing here");
    expect(findDifference(update(reply) + update(reply), update(reply))).toContain("missing there");
  });

  it("is not the same in two streams without events", () => {
    expect(findDifference("", ": heartbeat\n\n")).toContain("missing here and missing there");
  });
});
