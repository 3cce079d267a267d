import { HumanMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { graph } from "../../graphs/echo.ts";

test("any text is returned as the last message", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const { messages } = await graph.invoke({ messages: [new HumanMessage("before"), new HumanMessage(text)] });
      expect(messages.map((message) => message.getType())).toEqual(["human", "human", "ai"]);
      expect(messages.at(-1)?.text).toBe(text);
    }),
  );
});

test("text blocks are joined, and other blocks are told", async () => {
  const content = [
    { type: "text", text: "one " },
    { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    { type: "text", text: "two" },
  ];
  const { messages } = await graph.invoke({ messages: [new HumanMessage({ content })] });
  expect(messages.at(-1)?.text).toBe("one two\n\n- an image (image/png) of 1 kilobyte");
});

test("no messages are answered with an empty one", async () => {
  expect((await graph.invoke({ messages: [] })).messages.map((message) => message.text)).toEqual([""]);
});
