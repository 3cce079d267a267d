/** A line of two texts: in both of them, only in the first, or only in the second. */
export interface LineChange {
  readonly kind: "kept" | "removed" | "added";
  readonly text: string;
}

/** The most pairs of lines that are compared. Longer middles are replaced as a whole. */
const MOST_PAIRS = 1_000_000;

/** Compares two texts by lines: as many lines as possible are kept. Removed lines come before those added in their place. */
export function lineDifference(before: string, after: string): readonly LineChange[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [lost, won] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const middle = lost.length * won.length > MOST_PAIRS ? replaced(lost, won) : compared(lost, won);
  return [...as("kept", old.slice(0, start)), ...middle, ...as("kept", old.slice(old.length - end))];
}

const as = (kind: LineChange["kind"], lines: readonly string[]): LineChange[] => lines.map((text) => ({ kind, text }));

const replaced = (lost: readonly string[], won: readonly string[]): LineChange[] => [
  ...as("removed", lost),
  ...as("added", won),
];

/** Finds the longest common subsequence: `common` has its length for what follows each pair of lines. */
function compared(lost: readonly string[], won: readonly string[]): LineChange[] {
  const width = won.length + 1;
  const common = new Uint32Array((lost.length + 1) * width);
  const at = (from: number, to: number): number => common[from * width + to] ?? 0;
  for (let from = lost.length - 1; from >= 0; from--) {
    for (let to = won.length - 1; to >= 0; to--) {
      common[from * width + to] =
        lost[from] === won[to] ? at(from + 1, to + 1) + 1 : Math.max(at(from + 1, to), at(from, to + 1));
    }
  }
  const changes: LineChange[] = [];
  let [from, to] = [0, 0];
  while (from < lost.length && to < won.length) {
    if (lost[from] === won[to]) {
      changes.push({ kind: "kept", text: lost[from] ?? "" });
      [from, to] = [from + 1, to + 1];
    } else if (at(from + 1, to) >= at(from, to + 1)) changes.push({ kind: "removed", text: lost[from++] ?? "" });
    else changes.push({ kind: "added", text: won[to++] ?? "" });
  }
  return [...changes, ...replaced(lost.slice(from), won.slice(to))];
}

/** A line to show at its place, or the number of kept lines that are left out there. */
export type ShownLine =
  | { readonly place: number; readonly line: LineChange; readonly left?: undefined }
  | { readonly place: number; readonly line?: undefined; readonly left: number };

/** The kept lines that are shown before and after changed ones. */
const AROUND = 2;

/** Leaves out the kept lines that are far from all changed ones. */
export function linesShown(lines: readonly LineChange[]): readonly ShownLine[] {
  const isNear = (place: number): boolean =>
    lines.slice(Math.max(0, place - AROUND), place + AROUND + 1).some(({ kind }) => kind !== "kept");
  const shown: ShownLine[] = [];
  let left = 0;
  const endGap = (place: number): void => {
    if (left > 0) shown.push({ place: place - 1, left });
    left = 0;
  };
  for (const [place, line] of lines.entries()) {
    if (!isNear(place)) {
      left++;
      continue;
    }
    endGap(place);
    shown.push({ place, line });
  }
  endGap(lines.length);
  return shown;
}
