import { expect } from "vitest";

const TIMES = 64;

/**
 * Expects that the processor time of some work is proportional to the length of its input: one input of 64 times the
 * length takes less than sixteen times as long as 64 short ones. Quadratic work takes 64 times as long.
 */
export function expectLinear(work: (text: string) => unknown, make: (length: number) => string, length: number): void {
  const [short, long] = [make(length), make(length * TIMES)];
  const many = (): void => {
    for (let n = 0; n < TIMES; n++) work(short);
  };
  many();
  expect(least(() => work(long)) / least(many)).toBeLessThan(16);
}

function least(work: () => unknown): number {
  const times = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}
