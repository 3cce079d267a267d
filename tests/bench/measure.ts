/** What a number of callers that each do one thing after the other got, in ms and per second. */
export interface Measured {
  runs: number;
  perSecond: number;
  first: { p50: number; p95: number };
  whole: { p50: number; p95: number };
}

/** Repeats `run` in `callers` loops, once to warm up and once to measure; it says when its first event came. */
export async function measure(
  callers: number,
  seconds: number,
  run: (first: () => void) => Promise<void>,
): Promise<Measured> {
  await loop(callers, Math.min(seconds, 1.5), run);
  return await loop(callers, seconds, run);
}

async function loop(callers: number, seconds: number, run: (first: () => void) => Promise<void>): Promise<Measured> {
  const first: number[] = [];
  const whole: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      let heard: number | undefined;
      await run(() => (heard ??= performance.now() - start));
      whole.push(performance.now() - start);
      first.push(heard ?? Number.NaN);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const elapsed = (performance.now() - begin) / 1000;
  return {
    runs: whole.length,
    perSecond: whole.length / elapsed,
    first: { p50: quantile(first, 0.5), p95: quantile(first, 0.95) },
    whole: { p50: quantile(whole, 0.5), p95: quantile(whole, 0.95) },
  };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
