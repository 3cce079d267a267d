import { expect, test } from "vitest";
import { createBatchedFold } from "../../lib/client/batched-fold.ts";
import type { ParsedEvent } from "../../lib/rules/threads/transcript.ts";

const eventOf = (id: number): ParsedEvent => ({ id, event: "custom", data: id });

/** Folds events into their numbers. Each takes `ms`. */
function numbersOf(ms: number) {
  const states: number[][] = [];
  const fold = createBatchedFold<number[]>(
    [],
    (numbers, events) => {
      const end = performance.now() + ms * events.length;
      while (performance.now() < end);
      return [...numbers, ...events.map(({ data }) => Number(data))];
    },
    (numbers) => states.push(numbers),
    0,
  );
  return { fold, states };
}

const numbers = Array.from({ length: 500 }, (_, at) => at);

test("events that take long are shown in several batches, none is lost, and their order stays", async () => {
  const { fold, states } = numbersOf(0.5);
  for (const id of numbers) fold.add(eventOf(id));
  await fold.settled();
  expect(states.length).toBeGreaterThan(10);
  expect(states.map(({ length }) => length)).toEqual(states.map(({ length }) => length).toSorted((a, b) => a - b));
  expect(states.at(-1)).toEqual(numbers);
  fold.add(eventOf(500));
  await fold.settled();
  expect(states.at(-1)).toEqual([...numbers, 500]);
  expect(fold.finish()).toEqual([...numbers, 500]);
});

test("the end folds what is left, once", async () => {
  const { fold, states } = numbersOf(0.5);
  for (const id of numbers) fold.add(eventOf(id));
  await expect.poll(() => states.length).toBeGreaterThan(0);
  expect(fold.finish()).toEqual(numbers);
  const shown = states.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(states.length).toBe(shown);
});

test("without events nothing is waited for", async () => {
  const { fold } = numbersOf(0);
  await fold.settled();
  expect(fold.finish()).toEqual([]);
});
