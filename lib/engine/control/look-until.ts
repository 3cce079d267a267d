/** The pause between two looks, in ms. */
const LOOK_MS = 100;

/** Looks until something is done that another server does, or until `limitMs` have passed. */
export async function lookUntil(isDone: () => Promise<boolean>, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs;
  while (performance.now() < until && !(await isDone())) await new Promise((next) => setTimeout(next, LOOK_MS));
}
