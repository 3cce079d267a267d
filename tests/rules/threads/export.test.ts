import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageAttachment, questionMessage, textAttachment } from "../../../lib/rules/threads/attachments.ts";
import { conversationMarkdown, exportFileName } from "../../../lib/rules/threads/export.ts";
import { turnsOf } from "../../../lib/rules/threads/transcript.ts";

const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom("# Title", "```\nopen", "<!-- open", "a\n\n## You\n\nb", "> quoted\r## You\r\n- x", "\n\n"),
);
const block = fc.oneof(
  hostile.map((text) => ({ type: "text", text })),
  hostile.map((type) => ({ type, data: "x" })),
  fc.jsonValue(),
);
const message = fc.record(
  {
    type: fc.constantFrom("human", "ai", "tool"),
    id: fc.uuid(),
    content: fc.oneof(hostile, fc.array(block, { maxLength: 3 })),
    tool_calls: fc.array(fc.record({ id: fc.constant("c"), name: hostile, args: fc.dictionary(hostile, hostile) })),
    tool_call_id: fc.constant("c"),
    additional_kwargs: fc.record({
      attachments: fc.array(fc.record({ block: fc.nat(3), name: hostile, type: hostile })),
    }),
  },
  { requiredKeys: ["type", "id", "content"] },
);

describe("a conversation as Markdown", () => {
  test("is one document: only its own headings stand outside of block quotes, whatever was written", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), hostile, hostile, (messages, title, assistant) => {
        const [first = "", ...lines] = conversationMarkdown(title, assistant, turnsOf(messages)).split(/\r\n|\r|\n/);
        expect(first).toMatch(/^# (?:[^!-/:-@[-`{-~]|\\[!-/:-@[-`{-~])+$/);
        const outside = new Set(lines.filter((line) => line !== "" && !line.startsWith(">")));
        outside.delete("## You");
        expect([...outside].filter((line) => !/^## (?:[^!-/:-@[-`{-~]|\\[!-/:-@[-`{-~])*$/.test(line))).toEqual([]);
        expect(outside.size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("has questions, files by name, tool calls with results, and answers, in order", () => {
    const question = questionMessage("q1", {
      text: "What is 1 + 1?",
      attachments: [imageAttachment("a.png", "image/png", "AAAA"), textAttachment("n.txt", "text/plain", "```\nx")],
    });
    const turns = turnsOf([
      question,
      { type: "ai", id: "a1", content: "", tool_calls: [{ id: "c1", name: "add", args: { a: 1 } }] },
      { type: "tool", id: "t1", content: "2", tool_call_id: "c1" },
      { type: "ai", id: "a2", content: "**Two**" },
    ]);
    expect(conversationMarkdown("My [sum]", "agent", turns)).toBe(
      [
        String.raw`# My \[sum\]`,
        "## You",
        "> What is 1 + 1?",
        String.raw`> **Attachment:** ` + "` a.png ` " + String.raw`image\/png`,
        String.raw`> **Attachment:** ` + "` n.txt ` " + String.raw`text\/plain` + "\n>\n> ````\n> ```\n> x\n> ````",
        "## agent",
        '> **Tool** ` add `, arguments:\n>\n> ```\n> {"a":1}\n> ```\n>\n> result:\n>\n> ```\n> 2\n> ```',
        "> **Two**",
        "",
      ]
        .join("\n\n")
        .replace(/\n\n$/, "\n"),
    );
  });
});

describe("the name of an exported file", () => {
  test("is accepted by every system", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: "binary" })), (title) => {
        const name = exportFileName(title, "md");
        expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}-]*\.md$/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(63);
      }),
    );
  });

  test("is the title in one word", () => {
    expect(exportFileName("../What is 12 * 7?", "json")).toBe("What-is-12-7.json");
    expect(exportFileName("  ", "md")).toBe("conversation.md");
    expect(exportFileName("CON", "md")).toBe("thread-CON.md");
    expect(exportFileName("Grüße, 世界", "md")).toBe("Grüße-世界.md");
  });
});
