// Cuts Markdown into passages that can be quoted. Pure.
import type { Passage } from "./contract.ts";

/** The length above which sections are cut between paragraphs, list items and table rows, so that a hit is a screen. */
const LONGEST = 900;

type Section = { trail: string[]; lines: string[] };

/** Returns one passage or more for each heading; `heading` is the trail from the title down, "Install > On Linux". */
export function toPassages(file: string, markdown: string): Passage[] {
  return toSections(markdown).flatMap(({ trail, lines }) => {
    const heading = trail.filter(Boolean).join(" > ") || file;
    return toPieces(lines.join("\n").trim()).map((text) => ({ file, heading, text }));
  });
}

function toSections(markdown: string): Section[] {
  const sections: Section[] = [{ trail: [], lines: [] }];
  let fence: string | undefined;
  for (const line of markdown.split(/\r?\n/u)) {
    const mark = /^\s*(```|~~~)/u.exec(line)?.[1];
    if (mark) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const heading = fence === undefined ? /^(#{1,6})\s+(.*?)\s*#*$/u.exec(line) : null;
    const [, marks = "", title = ""] = heading ?? [];
    const current = sections.at(-1);
    if (heading) sections.push({ trail: trailTo(current?.trail ?? [], marks.length, title), lines: [] });
    else current?.lines.push(line);
  }
  return sections;
}

function trailTo(trail: string[], level: number, title: string): string[] {
  const parents = Array.from({ length: level - 1 }, (_, i) => trail[i] ?? "");
  return [...parents, title.replace(/[`*]/gu, "")];
}

function toPieces(text: string): string[] {
  const blocks = toParagraphs(text).flatMap((paragraph) => packed(toItems(paragraph), "\n"));
  return packed(blocks, "\n\n").filter((piece) => piece.trim() !== "");
}

/** Joins neighbours again as long as they fit. */
function packed(parts: string[], joint: string): string[] {
  const pieces: string[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length < LONGEST) pieces[pieces.length - 1] = last + joint + part;
    else pieces.push(part);
  }
  return pieces;
}

function toItems(paragraph: string): string[] {
  if (paragraph.length < LONGEST || isFence(paragraph)) return [paragraph];
  return paragraph.split(/\n(?=[-*+|] ?|\d+[.)] )/u);
}

function isFence(text: string): boolean {
  return /^\s*(```|~~~)/mu.test(text);
}

/** Splits at blank lines, but never inside a fenced block: half a code block does not render. */
function toParagraphs(text: string): string[] {
  const paragraphs: string[] = [];
  for (const chunk of text.split(/\n{2,}/u)) {
    const open = paragraphs.at(-1);
    if (open !== undefined && (open.match(/^\s*(```|~~~)/gmu)?.length ?? 0) % 2 === 1) {
      paragraphs[paragraphs.length - 1] = `${open}\n\n${chunk}`;
    } else {
      paragraphs.push(chunk);
    }
  }
  return paragraphs;
}
