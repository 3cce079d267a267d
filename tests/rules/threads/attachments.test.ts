import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attach,
  cleanName,
  freeName,
  IMAGE_BYTES,
  imageTypeOf,
  MOST_FILES,
  sizeOf,
  TEXT_BYTES,
  TOGETHER_BYTES,
} from "../../../lib/rules/threads/attachment-limits.ts";
import {
  type Attachment,
  fileText,
  imageAttachment,
  questionMessage,
  readQuestion,
  textAttachment,
} from "../../../lib/rules/threads/attachments.ts";
import { blockText, IMAGE_TYPES, textOf, viewOf } from "../../../lib/rules/threads/content.ts";

const name = fc.string({ minLength: 1, unit: "grapheme" });
const image = fc
  .record({ name, type: fc.constantFrom(...IMAGE_TYPES), data: fc.uint8Array({ minLength: 1 }) })
  .map((one) => imageAttachment(one.name, one.type, Buffer.from(one.data).toString("base64")));
const text = fc
  .record({ name, type: fc.constantFrom("text/plain", "image/svg+xml"), text: fc.string() })
  .map((one) => textAttachment(one.name, one.type, one.text));
const attachments = fc.array(fc.oneof(image, text), { maxLength: 5 });
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: fc.string() }) }),
  fc.record({ type: fc.constantFrom("image", "file", "tool_use"), data: fc.string(), mimeType: fc.string() }),
  fc.jsonValue(),
);

describe("a question with files", () => {
  test("is read from its message as it was written", () => {
    fc.assert(
      fc.property(fc.string(), attachments, (said, files) => {
        const message: unknown = JSON.parse(JSON.stringify(questionMessage("q", { text: said, attachments: files })));
        expect(readQuestion(message as Record<string, unknown>)).toEqual({ text: said, attachments: files });
      }),
    );
  });

  test("keeps the blocks of every client when it is asked again, and is then read alike", () => {
    fc.assert(
      fc.property(fc.array(block), fc.jsonValue(), (content, additional_kwargs) => {
        const read = readQuestion({ content, additional_kwargs });
        const again = questionMessage("q", read);
        expect(readQuestion(again)).toEqual(read);
        const others = (blocks: unknown): unknown[] =>
          Array.isArray(blocks) ? blocks.filter((one) => blockText(one) === undefined) : [];
        expect(others(again.content)).toEqual(others(content));
        expect(textOf(again.content).length).toBe(textOf(content).length);
      }),
    );
  });

  test("without files is plain text, as every graph takes it", () => {
    expect(questionMessage("q", { text: "Hello", attachments: [] })).toEqual({
      type: "human",
      id: "q",
      content: "Hello",
    });
  });

  test("has no member in a block that OpenAI does not know, and tells models the names of text files", () => {
    const files = [imageAttachment("a.png", "image/png", "AAAA"), textAttachment("b.txt", "text/plain", "one")];
    expect(questionMessage("q", { text: "", attachments: files }).content).toEqual([
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { type: "text", text: "Attached file b.txt:\n\none" },
    ]);
  });

  test("any message is read without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (content, additional_kwargs) => {
        const read = readQuestion({ content, additional_kwargs });
        expect(typeof read.text).toBe("string");
      }),
    );
  });
});

describe("the view of a block", () => {
  test("is total, and an image only with data of a type that is no document", () => {
    fc.assert(
      fc.property(block, (one) => {
        const view = viewOf(one);
        if (view.kind === "image") expect(view.url).toMatch(/^data:image\/(png|jpeg|gif|webp);base64,/);
      }),
    );
  });

  const data = "iVBORw0KGgo=";
  test.each([
    { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
    { type: "image_url", image_url: `data:image/png;base64,${data}` },
    { type: "image", mimeType: "image/png", data },
    { type: "image", source_type: "base64", mime_type: "image/png", data },
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
  ])("knows the image blocks of other clients: %j", (one) => {
    expect(viewOf(one)).toEqual({
      kind: "image",
      type: "image/png",
      url: `data:image/png;base64,${data}`,
      bytes: 8,
    });
  });

  test.each([
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    { type: "image", mimeType: "image/svg+xml", data: "PHN2Zz4=" },
    { type: "image_url", image_url: { url: "javascript:alert(1)" } },
  ])("shows SVG, and images of other hosts, as data: %j", (one) => {
    expect(viewOf(one)).toEqual({ kind: "json", value: one });
  });
});

describe("files that are attached", () => {
  test("keep the limits and have names of their own, whatever is chosen", () => {
    const sizes = fc.array(fc.oneof(fc.nat(4_000_000), fc.constant(0)), { maxLength: 14 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (chosen, areImages) => {
        const files = chosen.map((size) =>
          areImages
            ? imageAttachment("a.png", "image/png", "A".repeat(Math.ceil(size / 3) * 4))
            : textAttachment("a.txt", "text/plain", "x".repeat(size / 4)),
        );
        const { attachments: kept, problems } = attach([], files);
        expect(kept.length + problems.length).toBe(files.length);
        expect(kept.length).toBeLessThanOrEqual(MOST_FILES);
        expect(new Set(kept.map((one) => one.name)).size).toBe(kept.length);
        expect(kept.reduce((sum, one) => sum + sizeOf(one), 0)).toBeLessThanOrEqual(TOGETHER_BYTES);
        for (const one of kept) expect(sizeOf(one)).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });

  test("are refused with the reason: empty, too large, too many, too large together", () => {
    const picture = (bytes: number): Attachment =>
      imageAttachment("a.png", "image/png", Buffer.alloc(bytes).toString("base64"));
    const words = (bytes: number): Attachment => textAttachment("a.txt", "text/plain", "x".repeat(bytes));
    expect(attach([], [words(0)]).problems).toEqual(["a.txt is empty."]);
    expect(attach([], [words(TEXT_BYTES)]).problems).toEqual([]);
    expect(attach([], [words(TEXT_BYTES + 1)]).problems).toEqual([expect.stringContaining("512 KB")]);
    expect(attach([], [picture(IMAGE_BYTES)]).problems).toEqual([]);
    expect(attach([], [picture(IMAGE_BYTES + 1)]).problems).toEqual([expect.stringContaining("3.5 MB")]);
    expect(attach([], [picture(IMAGE_BYTES), picture(IMAGE_BYTES)]).problems).toEqual([
      expect.stringContaining("6.5 MB"),
    ]);
    expect(
      attach(
        [],
        Array.from({ length: 11 }, () => words(1)),
      ).problems,
    ).toEqual([expect.stringContaining("10 files")]);
  });

  test("of one name get numbers, which a text file also tells the model", () => {
    const words = textAttachment("notes.txt", "text/plain", "one");
    const { attachments: kept } = attach([], [words, words, words]);
    expect(kept.map((one) => one.name)).toEqual(["notes.txt", "notes (2).txt", "notes (3).txt"]);
    for (const one of kept) expect(fileText(one, blockText(one.block) ?? "")).toBe("one");
  });

  test("a free name is none of those that are taken", () => {
    fc.assert(
      fc.property(name, fc.array(name), (wanted, others) => {
        const taken = [...others, wanted, freeName(wanted, [wanted])];
        expect(taken).not.toContain(freeName(wanted, taken));
      }),
    );
  });

  test("have names in one line that hide nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (given) => {
        const clean = cleanName(given);
        expect(clean).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+$/u);
        expect(Array.from(clean).length).toBeLessThanOrEqual(120);
        expect(cleanName(clean)).toBe(clean);
      }),
    );
    expect(cleanName("a\u202egnp.exe")).toBe("a gnp.exe");
    expect(cleanName(`${"long ".repeat(40)}.tar`)).toMatch(/…\.tar$/);
  });

  test("are images by their first bytes, not by their names", () => {
    const begin = (...bytes: number[]) => imageTypeOf(Uint8Array.from([...bytes, 0, 0]));
    expect(begin(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)).toBe("image/png");
    expect(begin(0xff, 0xd8, 0xff, 0xe0)).toBe("image/jpeg");
    expect(imageTypeOf(Buffer.from("GIF89a"))).toBe("image/gif");
    expect(imageTypeOf(Buffer.from("RIFF\0\0\0\0WEBPVP8 "))).toBe("image/webp");
    expect(imageTypeOf(Buffer.from("RIFF\0\0\0\0WAVEfmt "))).toBeUndefined();
    expect(imageTypeOf(Buffer.from("<svg xmlns="))).toBeUndefined();
  });
});
