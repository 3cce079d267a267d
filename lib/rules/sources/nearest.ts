/** What was probably meant by a name that is not there. */

/** At most `count` of the names, those that look most like it first; empty where none does. */
export function nearest(wanted: string, names: Iterable<string>, count = 3): string[] {
  const text = wanted.toLowerCase();
  return [...names]
    .map((name) => ({ name, score: unlikeness(text, name.toLowerCase()) }))
    .filter(({ name, score }) => score <= Math.max(2, Math.max(wanted.length, name.length) / 3))
    .toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

function unlikeness(a: string, b: string): number {
  const letters = distance(a.slice(0, 100), b.slice(0, 100));
  // What holds the other whole is near, however long it is: `main` and `origin/main`.
  const isPart = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a));
  return isPart ? Math.min(letters, 2) : letters;
}

/** Letters to add, drop or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
