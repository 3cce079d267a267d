import { HumanMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readContent } from "../../graphs/offline/attachments.ts";
import { nextTurn } from "../../graphs/offline/conversation.ts";
import { graph as echo } from "../../graphs/echo.ts";

const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(4096)}` } };
const file = { type: "text", text: "Attached file notes.txt:\n\none\ntwo\n" };

test("the question of a message is separated from its files, which are told", () => {
  expect(readContent([{ type: "text", text: "What is 12 * 7?" }, image, file, { type: "hologram" }])).toEqual({
    question: "What is 12 * 7?",
    attachments: [
      "an image (image/png) of 3 kilobytes",
      "a text file of 2 lines: `notes.txt`",
      "a block of the type `hologram`",
    ],
  });
  expect(readContent("words")).toEqual({ question: "words", attachments: [] });
});

test("the built-in model answers the question, and says what it got where there is none", () => {
  const content = [{ type: "text", text: "What is 12 * 7?" }, image];
  expect(nextTurn([new HumanMessage({ content })], new Set(["calculate"]))).toMatchObject({
    call: [{ name: "calculate" }],
  });
  const turn = nextTurn([new HumanMessage({ content: [image, file] })], new Set(["calculate"]));
  expect(turn).toMatchObject({
    reply: expect.stringContaining("- an image (image/png) of 3 kilobytes\n- a text file"),
  });
});

test("the echo repeats the text and names the files", async () => {
  const { messages } = await echo.invoke({
    messages: [new HumanMessage({ content: [{ type: "text", text: "Look" }, image] })],
  });
  expect(messages.at(-1)?.text).toBe("Look\n\n- an image (image/png) of 3 kilobytes");
});

test("any name of a file stays code, in one line", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 50 }), (name) => {
      fc.pre(!/[\n\r]/.test(name));
      const { attachments } = readContent([{ type: "text", text: `Attached file ${name}:\n\nx` }]);
      expect(attachments[0]?.match(/`/g)?.length).toBe(2);
    }),
  );
});
