import type { GraphLayout } from "./layout.ts";

const MOST_SENTENCES = 200;

/** Describes the edges of a drawn graph in sentences, for screen readers. */
export function inWords({ boxes, arrows }: GraphLayout): string {
  const names = new Map(boxes.map((box) => [box.id, box.label]));
  const sentences = arrows.slice(0, MOST_SENTENCES).map(({ source, target, conditional, label }) => {
    const condition = label ? ` if ${label}` : conditional ? " under a condition" : "";
    return `${names.get(source)} leads to ${names.get(target)}${condition}.`;
  });
  const more = arrows.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`${more} more edges.`] : [])].join(" ");
}
