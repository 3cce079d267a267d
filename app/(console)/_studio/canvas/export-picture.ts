import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import { type PictureColours, type PictureNode, type PictureTone, svgOf } from "#lib/rules/graphs/svg.ts";
import type { TaskStatus } from "#lib/rules/studio/run.ts";
import type { CanvasStore } from "./canvas-store.ts";
import { runLine } from "./node-words.ts";

const TONE: Record<TaskStatus, PictureTone> = {
  waiting: "neutral",
  running: "running",
  done: "ok",
  failed: "bad",
  interrupted: "waiting",
  cancelled: "neutral",
  unknown: "neutral",
};

/** Returns the SVG of what the canvas shows, in the colours of the page's theme. */
export function pictureOf(layout: GraphLayout, store: CanvasStore, root: Element | null): string | undefined {
  if (!root) return undefined;
  const style = getComputedStyle(root);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const tone = (name: string) => ({ line: token(name), fill: token(`${name}-soft`) });
  const colours: PictureColours = {
    background: token("background"),
    ink: token("ink"),
    ink2: token("ink-2"),
    tones: {
      neutral: { line: token("line-strong"), fill: token("raised") },
      running: tone("running"),
      ok: tone("ok"),
      waiting: tone("waiting"),
      bad: tone("bad"),
    },
  };
  const edges = layout.arrows.flatMap((arrow) => {
    const view = store.edgeView(arrow);
    return view ? [[arrow.id, view] as const] : [];
  });
  return svgOf(layout, { nodes: nodesOf(layout, store), edges: new Map(edges) }, colours);
}

function nodesOf({ boxes, arrows }: GraphLayout, store: CanvasStore): Map<string, PictureNode> {
  const { run, breakpoints } = store.get();
  const nodes = new Map<string, PictureNode>();
  const ends = new Set(boxes.filter(({ kind }) => kind === "start" || kind === "end").map(({ id }) => id));
  for (const arrow of arrows) {
    if (!store.edgeView(arrow)) continue;
    for (const end of [arrow.source, arrow.target]) if (ends.has(end)) nodes.set(end, { ...PLAIN, tone: "ok" });
  }
  for (const { id } of boxes) {
    const [before, after] = [breakpoints.before.has(id), breakpoints.after.has(id)];
    const done = run?.nodes.get(id);
    if (!done && !before && !after) continue;
    const words = done ? [done.status, runLine(done)] : [];
    const line = [...new Set(words)].filter((word) => word !== "").join(" · ");
    nodes.set(id, { tone: done ? TONE[done.status] : "neutral", line, count: done?.count ?? 0, before, after });
  }
  return nodes;
}

const PLAIN: PictureNode = { tone: "neutral", line: "", count: 0, before: false, after: false };

/** The longest side of a PNG: browsers refuse larger canvases. */
const MOST_PX = 8192;

/** Draws the SVG at twice its size, or as large as a browser can. */
export async function pngOf(layout: GraphLayout, store: CanvasStore, root: Element | null): Promise<Blob | undefined> {
  const svg = pictureOf(layout, store, root);
  if (svg === undefined) return undefined;
  const scale = Math.min(2, MOST_PX / Math.max(layout.width, layout.height, 1));
  const image = new Image();
  // The content policy lets pictures be loaded from data addresses, not from blobs.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(layout.width * scale);
  canvas.height = Math.ceil(layout.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), "image/png"));
}
