import type { Arrow, Box, GraphLayout } from "./layout.ts";
import { arrowHead, pathThrough } from "./line-path.ts";
import { escapeXml } from "../text/escape-xml.ts";

export type PictureTone = "neutral" | "running" | "ok" | "waiting" | "bad";

/** The marks of a node in a picture, besides its name. */
export interface PictureNode {
  tone: PictureTone;
  /** The second line, which names the status in words. */
  line: string;
  count: number;
  before: boolean;
  after: boolean;
}

export interface PictureColours {
  background: string;
  ink: string;
  ink2: string;
  tones: Record<PictureTone, { line: string; fill: string }>;
}

export interface PictureState {
  nodes: ReadonlyMap<string, PictureNode>;
  edges: ReadonlyMap<string, "taken" | "newest">;
}

const SANS = "Geist, ui-sans-serif, system-ui, sans-serif";
const MONO = "'Geist Mono', ui-monospace, monospace";
/** The mean advance of the fonts at the sizes used below. */
const NAME_PX = 8.2;
const SMALL_PX = 7.2;

/** Returns a standalone SVG of a layout. Any name yields well-formed XML. */
export function svgOf(layout: GraphLayout, state: PictureState, colours: PictureColours): string {
  const { width, height, boxes, arrows } = layout;
  const containers = boxes.filter(({ kind }) => kind === "container");
  const others = boxes.filter(({ kind }) => kind !== "container");
  const draw = (box: Box) => boxAsSvg(box, state, colours);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(SANS)}" font-size="14">`,
    `<rect width="100%" height="100%" fill="${escapeXml(colours.background)}"/>`,
    ...containers.map(draw),
    ...arrows.map((arrow) => arrowAsSvg(arrow, state, colours)),
    ...others.map(draw),
    "</svg>",
  ].join("\n");
}

function boxAsSvg(box: Box, { nodes }: PictureState, colours: PictureColours): string {
  const { x, y, width, height, kind, label } = box;
  const node = nodes.get(box.id);
  const tone = colours.tones[node?.tone ?? "neutral"];
  const isEnd = kind === "start" || kind === "end";
  const fill = kind === "container" ? "none" : tone.fill;
  const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${isEnd ? height / 2 : 12}" fill="${escapeXml(fill)}" stroke="${escapeXml(tone.line)}" stroke-width="1.5"/>`;
  const title = `<title>${escapeXml(node?.line ? `${label}: ${node.line}` : label)}</title>`;
  if (isEnd) {
    const name = box.parent === undefined ? text(x + width / 2, y + height / 2 + 5, label, colours.ink2, MIDDLE) : "";
    return `<g>${title}${frame}${name}</g>`;
  }
  const room = width - 32;
  const nameAt = y + 27;
  const parts = [title, frame, text(x + 16, nameAt, cut(label, room / NAME_PX), colours.ink, BOLD)];
  if (node && kind === "container") {
    const at = x + 28 + Math.min(room, label.length * NAME_PX);
    parts.push(text(at, nameAt, cut(node.line, (x + width - at - 8) / SMALL_PX), colours.ink2, CODE));
  } else if (node) parts.push(text(x + 16, y + 46, cut(node.line, room / SMALL_PX), colours.ink2, CODE));
  if (node && node.count > 1) parts.push(badge(x + width, y, `×${node.count}`, colours));
  const mark = (at: number) =>
    `<rect x="${x + width / 2 - 16}" y="${at - 3}" width="32" height="6" rx="3" fill="${escapeXml(colours.tones.bad.line)}"/>`;
  if (node?.before) parts.push(mark(y));
  if (node?.after) parts.push(mark(y + height));
  return `<g>${parts.join("")}</g>`;
}

function badge(right: number, y: number, content: string, colours: PictureColours): string {
  const width = content.length * SMALL_PX + 14;
  const [fill, stroke] = [escapeXml(colours.background), escapeXml(colours.tones.neutral.line)];
  const frame = `<rect x="${right + 8 - width}" y="${y - 10}" width="${width}" height="18" rx="9" fill="${fill}" stroke="${stroke}"/>`;
  return frame + text(right + 8 - width / 2, y + 3, content, colours.ink2, `${CODE} ${MIDDLE}`);
}

function arrowAsSvg({ id, points, conditional, label, labelAt }: Arrow, state: PictureState, colours: PictureColours) {
  const seen = state.edges.get(id);
  const colour = escapeXml(seen ? colours.tones[seen === "newest" ? "running" : "ok"].line : colours.ink2);
  const dash = conditional ? ` stroke-dasharray="5 4"` : "";
  const parts = [
    `<path d="${pathThrough(points)}" fill="none" stroke="${colour}" stroke-width="${seen ? 2 : 1.5}"${dash}/>`,
    `<path d="${arrowHead(points)}" fill="${colour}"/>`,
  ];
  if (label !== undefined) {
    const name = cut(label, 40);
    const width = name.length * SMALL_PX + 8;
    parts.push(
      `<rect x="${labelAt.x - width / 2}" y="${labelAt.y - 9}" width="${width}" height="18" rx="4" fill="${escapeXml(colours.background)}"/>`,
      text(labelAt.x, labelAt.y + 4, name, colours.ink2, `font-size="12" ${MIDDLE}`),
    );
  }
  return `<g>${parts.join("")}</g>`;
}

const MIDDLE = `text-anchor="middle"`;
const BOLD = `font-weight="500"`;
const CODE = `font-family="${MONO}" font-size="12"`;

function text(x: number, y: number, content: string, colour: string, more: string): string {
  return `<text x="${x}" y="${y}" fill="${escapeXml(colour)}" xml:space="preserve" ${more}>${escapeXml(content)}</text>`;
}

function cut(content: string, most: number): string {
  const letters = Array.from(content);
  const count = Math.max(1, Math.floor(most));
  return letters.length <= count ? content : `${letters.slice(0, count - 1).join("")}…`;
}
