import { perRun, type Processor, processorTime } from "./processor.ts";

/** The duration of each measurement, in seconds. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** The number of times that each measurement is repeated. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

/** Rate and latencies (ms) of several callers, each of which makes one call after the other. */
export interface Measured {
  runs: number;
  perSecond: number;
  first: { p50: number; p95: number };
  whole: { p50: number; p95: number };
  /** Processor time of a run, in ms. */
  processor: Processor;
}

/**
 * Repeats `run` in `callers` loops, first to warm up and then to measure. It calls `first` when its first event comes.
 * `server` is the process whose time is measured as the host's.
 */
export async function measure(
  callers: number,
  seconds: number,
  run: (first: () => void) => Promise<void>,
  server?: number,
): Promise<Measured> {
  await loop(callers, Math.min(seconds, 1.5), run);
  const before = processorTime(server);
  const measured = await loop(callers, seconds, run);
  return { ...measured, processor: perRun(before, processorTime(server), measured.runs) };
}

async function loop(
  callers: number,
  seconds: number,
  run: (first: () => void) => Promise<void>,
): Promise<Omit<Measured, "processor">> {
  const first: number[] = [];
  const whole: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      let firstAfter: number | undefined;
      await run(() => (firstAfter ??= performance.now() - start));
      whole.push(performance.now() - start);
      first.push(firstAfter ?? Number.NaN);
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

/** Returns the value of which `part` of all values are smaller; `NaN` without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Returns the value in the middle, or the mean of the two in the middle; `NaN` without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
