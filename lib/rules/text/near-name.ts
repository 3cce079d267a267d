/** Returns the name that was probably meant: the one with the least edits, if it has few enough. */
export function nearName(wanted: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= least) continue;
    const distance = changes(wanted.toLowerCase(), name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Returns at most `count` similar names, the most similar first; empty if none is similar. */
export function nearNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  const text = wanted.toLowerCase();
  return [...names]
    .map((name) => ({ name, score: unlikeness(text, name.toLowerCase()) }))
    .filter(({ name, score }) => score <= Math.max(2, Math.max(wanted.length, name.length) / 3))
    .toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

function unlikeness(a: string, b: string): number {
  const letters = changes(a.slice(0, 100), b.slice(0, 100));
  // A name that contains the other is similar, however long it is, such as `origin/main` for `main`.
  const isPart = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a));
  return isPart ? Math.min(letters, 2) : letters;
}

/** Returns the edit distance (Damerau-Levenshtein): letters added, removed, replaced, or swapped with the next. */
function changes(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
