/** How near texts are to each other, by the vectors that stand for them. */

/** The same direction with length 1; a vector without length stays as it is. */
export function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const x of vector) squares += x * x;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((x) => x / length);
}

/** Of two units: 1 for the same direction, 0 for nothing in common. Both have as many dimensions. */
export function nearness(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  // No other way to walk two arrays costs as little, and this is done for every vector of a search.
  for (let i = 0; i < a.length; i++) dot += (a[i] as number) * (b[i] as number);
  return dot;
}

export interface Ranked {
  id: string;
  /** Null for what has no vectors. */
  score: number | null;
}

/** Nearest first, then what has no score; those that are as near as each other by id. */
export function rank(scores: Iterable<readonly [id: string, score: number | null]>): Ranked[] {
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => {
      if (a.score !== b.score) return (b.score ?? -Infinity) - (a.score ?? -Infinity);
      return a.id < b.id ? -1 : Number(a.id > b.id);
    });
}
