import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blockOfFile,
  emptyMessage,
  messageRoles,
  readMessage,
  withBlock,
  withContent,
  withOthers,
  withRole,
} from "../../../lib/rules/forms/message-form.ts";

const message = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "system", "tool", "critic"),
    type: fc.constantFrom("human", "ai", "tool", "critic"),
    content: fc.jsonValue(),
    id: fc.string(),
    tool_calls: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test("writing what was read changes nothing", () => {
  fc.assert(
    fc.property(fc.oneof(message, fc.jsonValue()), (item) => {
      const read = readMessage(item);
      if (!read) return;
      expect(withContent(item, read.content)).toEqual(item);
      if (typeof item !== "string") expect(withOthers(item, read.others)).toEqual(item);
      const role = messageRoles.find((one) => one === read.role);
      if (role !== undefined) expect(readMessage(withRole(item, role))).toEqual(read);
    }),
  );
});

test("each edit changes its part alone", () => {
  fc.assert(
    fc.property(message, fc.constantFrom(...messageRoles), fc.jsonValue(), (item, role, content) => {
      const read = readMessage(item);
      if (!read) return;
      expect(readMessage(withRole(item, role))).toEqual({ ...read, role });
      expect(readMessage(withContent(item, content))).toEqual({ ...read, content });
      expect(readMessage(withOthers(item, { id: "1" }))).toEqual({ ...read, others: { id: "1" } });
    }),
  );
});

test("a role keeps the names that its message uses", () => {
  expect(withRole({ role: "user", content: "Hi" }, "ai")).toEqual({ role: "assistant", content: "Hi" });
  expect(withRole({ type: "human", content: "Hi" }, "ai")).toEqual({ type: "ai", content: "Hi" });
  expect(withRole("Hi", "system")).toEqual({ type: "system", content: "Hi" });
  expect(readMessage(["human", "Hi"])).toBeUndefined();
  expect(readMessage({ lc: 1, type: "constructor", id: [] })).toBeUndefined();
});

test("a file becomes a content block after the text", () => {
  const image = blockOfFile({ name: "a.png", mimeType: "image/png", base64: "AAAA" });
  expect(image).toEqual({ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } });
  expect(withBlock("Look", image)).toEqual([{ type: "text", text: "Look" }, image]);
  expect(withBlock("", image)).toEqual([image]);
  expect(withBlock([image], blockOfFile({ name: "a.csv", mimeType: "text/csv", text: "a,b" }))).toEqual([
    image,
    { type: "text", text: "a.csv:\n\na,b" },
  ]);
  expect(blockOfFile({ name: "a.pdf", mimeType: "application/pdf", base64: "AA" })).toMatchObject({ data: "AA" });
});

test("an input whose message says nothing is told from one that says something", () => {
  const empty = "Message 2 is empty. Write its text, or remove it.";
  const said = { type: "human", content: "Hi" };
  for (const content of ["", " \n", []])
    for (const message of [
      { type: "human", content },
      { role: "user", content },
    ])
      expect(emptyMessage({ topic: "", messages: [said, message] })).toBe(empty);
  const calls = [{ id: "1", name: "add", args: {} }];
  for (const other of [said, { type: "ai", content: "", tool_calls: calls }, { type: "box", content: "" }, "", 1, null])
    expect(emptyMessage({ messages: [other] })).toBeUndefined();
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      expect(() => emptyMessage(input)).not.toThrow();
    }),
  );
});
