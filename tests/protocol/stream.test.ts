import { expect, test } from "vitest";
import { modeOf, StreamMode } from "../../lib/protocol/stream.ts";

test("events named after a mode belong to it, with or without a namespace", () => {
  for (const mode of StreamMode.options) {
    const event = mode === "messages-tuple" ? "messages" : mode;
    const owner = mode === "messages" ? "messages-tuple" : mode;
    expect(modeOf(event)).toBe(owner);
    expect(modeOf(`${event}|child:3a8696ba|model:ed8f`)).toBe(owner);
  }
});

test("messages/partial, /metadata and /complete belong to the mode messages", () => {
  for (const part of ["partial", "metadata", "complete"]) expect(modeOf(`messages/${part}`)).toBe("messages");
});

test("control events belong to no mode", () => {
  for (const event of ["metadata", "error", "end", "feedback"]) expect(modeOf(event)).toBeUndefined();
});
