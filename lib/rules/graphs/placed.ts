import type { Link } from "./ranks.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** An edge to be placed. The sizes of labels are estimates, because only a browser can measure text. */
export interface Wire extends Link {
  label?: string;
}

/** The places of one level: upper left corners of the boxes, and the points of each line with the middle of its label. */
export interface Placed extends Size {
  corners: Point[];
  lines: { points: Point[]; labelAt: Point }[];
}

const LABEL_LETTER_PX = 6.8;

export function labelSize(label: string): Size {
  return { width: Math.min(label.length, 40) * LABEL_LETTER_PX + 12, height: 18 };
}

/** The space to the right of a box that a loop takes. */
export const LOOP_PX = 30;

/** Returns a loop that touches its box at the right and reaches to `outer`. */
export function loopBeside({ x, y, width, height }: Point & Size, outer: number): Point[] {
  const right = x + width;
  const [above, below] = [y + height / 4, y + (height * 3) / 4];
  return [
    { x: right, y: above },
    { x: outer, y: above },
    { x: outer, y: below },
    { x: right, y: below },
  ];
}

export const round = (value: number): number => Math.round(value * 10) / 10;
