/** Compares the embedding vectors of texts. */

/** Scales a vector to length 1. A vector of zeros stays as it is. */
export function unit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const x of vector) squares += x * x;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((x) => x / length);
}

/** Returns the similarity of two unit vectors of equal dimension: 1 for the same direction, 0 for orthogonal ones. */
export function nearness(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  // This loop is the cheapest way to walk two arrays, and it runs for every vector of a search.
  for (let i = 0; i < a.length; i++) dot += (a[i] as number) * (b[i] as number);
  return dot;
}

export interface Ranked {
  id: string;
  /** The similarity; null for an item without vectors. */
  score: number | null;
}

/** Sorts by similarity, nearest first and items without a score last. Equal scores are sorted by id. */
export function rank(scores: Iterable<readonly [id: string, score: number | null]>): Ranked[] {
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => {
      if (a.score !== b.score) return (b.score ?? -Infinity) - (a.score ?? -Infinity);
      return a.id < b.id ? -1 : Number(a.id > b.id);
    });
}
