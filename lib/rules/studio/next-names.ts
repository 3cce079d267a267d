/** Returns the names of nodes that come next as a reader knows them. Before its input was taken, a graph tells `__start__`. */
export function nextNames(next: readonly string[]): string[] {
  return next.map((name) => (isStart(name) ? "the start" : name));
}

export const isAtStart = (next: readonly string[]): boolean => next.some(isStart);

const isStart = (name: string): boolean => name === "__start__";
