import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutNested } from "../../../lib/rules/graphs/nested.ts";
import { type PictureColours, type PictureNode, svgOf } from "../../../lib/rules/graphs/svg.ts";
import { escapeXml } from "../../../lib/rules/text/escape-xml.ts";
import { edgeKey } from "../../../lib/rules/graphs/edge-key.ts";

const tone = (name: string) => ({ line: `${name}-line`, fill: `${name}-fill` });
const colours: PictureColours = {
  background: "#fff",
  ink: "#000",
  ink2: "#555",
  tones: {
    neutral: tone("neutral"),
    running: tone("running"),
    ok: tone("ok"),
    waiting: tone("waiting"),
    bad: tone("bad"),
  },
};

/** Any text, with much that means something in XML, or that XML 1.0 cannot hold. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("<", ">", "&", '"', "'", "]]>", "<!--", "-->", "<script>", "&amp;", "\0", "\u0008", "\ud800"),
      fc.constantFrom("\udc00", "\ufffe", "\uffff", "\u2028", "\u202e", "🙂", "\n", "\t", "\r", " "),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const CHARACTER = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const TAG = /<(\/?)([a-zA-Z]+)((?: [a-zA-Z:-]+="[^"<]*")*)(\/?)>/y;

/** Checks the part of XML that these pictures use: tags that close, quoted attributes, escaped text. */
function isWellFormed(xml: string): boolean {
  if (!CHARACTER.test(xml)) return false;
  const open: string[] = [];
  for (let at = 0; at < xml.length;) {
    if (xml[at] !== "<") {
      const end = xml.indexOf("<", at);
      const text = xml.slice(at, end < 0 ? undefined : end);
      if (text.includes("]]>") || !areEntities(text)) return false;
      at += text.length;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(xml);
    if (!tag) return false;
    const [whole, closing, name = "", attributes = "", alone] = tag;
    if (!areEntities(attributes)) return false;
    if (closing && open.pop() !== name) return false;
    if (!closing && !alone) open.push(name);
    at += whole.length;
  }
  return open.length === 0;
}

const areEntities = (text: string): boolean => !/&(?!(?:amp|lt|gt|quot|apos);)/.test(text);

test("any name, label, note and colour yields well-formed XML", () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), hostile, fc.nat(30), (names, label, count) => {
      const drawing = {
        nodes: names.map((id) => ({ id, data: {} })),
        edges: names.map((target) => ({ source: names[0] ?? "", target, conditional: true, data: label })),
      };
      const layout = layoutNested(drawing, new Set(names.flatMap((name) => [name, name.split(":")[0] ?? ""])));
      const node: PictureNode = { tone: "bad", line: label, count, before: true, after: true };
      const nodes = new Map(layout.boxes.map((box) => [box.id, node]));
      const svg = svgOf(layout, { nodes, edges: new Map() }, { ...colours, ink: label });
      expect(isWellFormed(svg)).toBe(true);
    }),
  );
});

test("the check of well-formedness finds what is broken", () => {
  for (const broken of ["<a>", "<a></b>", "<a b=c/>", "a & b", "<a>]]></a>", "\0", "<a b='c'/>"]) {
    expect(isWellFormed(broken)).toBe(false);
  }
  expect(isWellFormed(`<a b="&lt;"><c/>&amp; text</a>`)).toBe(true);
});

test("escaped text stands for the same text, without what XML cannot hold", () => {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const back = escapeXml(text).replaceAll(/&(\w+);/g, (_, name: string) => entities[name] ?? "?");
      expect(back).toBe(text.replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�"));
    }),
  );
});

test("a picture has states by colour and words, edges taken, breakpoints and counts", () => {
  const layout = layoutNested(
    {
      nodes: ["__start__", "model", "child:in", "child:out"].map((id) => ({ id, data: {} })),
      edges: [
        { source: "__start__", target: "model" },
        { source: "model", target: "child:in", conditional: true, data: "go" },
      ],
    },
    new Set(["child"]),
  );
  const node: PictureNode = { tone: "running", line: "running · 2 s", count: 20, before: true, after: false };
  const edges = new Map([[edgeKey("__start__", "model"), "newest" as const]]);
  const svg = svgOf(layout, { nodes: new Map([["model", node]]), edges }, colours);
  for (const part of ["running · 2 s", "×20", "running-fill", ">child<", ">in<", ">go<", 'stroke-dasharray="5 4"']) {
    expect(svg).toContain(part);
  }
  expect(svg.match(/bad-line/g)).toHaveLength(1);
  expect(svg).toContain('stroke="running-line" stroke-width="2"');
});
