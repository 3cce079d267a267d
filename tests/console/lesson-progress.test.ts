import fc from "fast-check";
import { expect, test } from "vitest";
import {
  lessonAfter,
  type LessonProgress,
  type LessonView,
  NO_PROGRESS,
} from "../../app/(console)/_studio/lesson-progress.ts";

const IDLE: LessonView = { isSet: false, thread: undefined, isRunning: false, isPaused: false, hasPassed: false };

const walk = (views: readonly Partial<LessonView>[], from: LessonProgress = NO_PROGRESS): number[] => {
  let progress = from;
  return views.map((view) => {
    progress = lessonAfter(progress, { ...IDLE, ...view });
    return progress.done;
  });
};

test("the steps tick one after another on one thread", () => {
  const set = { isSet: true };
  const a = { ...set, thread: "a" };
  const running = { ...a, isRunning: true };
  expect(walk([{}, set, running, a, { ...a, isPaused: true }, running, a, { ...a, hasPassed: true }])).toEqual([
    0, 1, 1, 1, 2, 2, 2, 3,
  ]);
});

test("what an older or another thread shows ticks no step", () => {
  const paused = { thread: "old", isPaused: true };
  expect(walk([paused, { ...paused, isSet: true }, { thread: "old", isSet: true, hasPassed: true }])).toEqual([
    0, 1, 1,
  ]);
  const waiting: LessonProgress = { done: 2, thread: "a" };
  const ended = { thread: "b", hasPassed: true };
  expect(walk([ended, { thread: "b", isRunning: true }, ended, { thread: "a", hasPassed: true }], waiting)).toEqual([
    2, 2, 2, 2,
  ]);
});

test("a run that ends without the pause ticks nothing, and a breakpoint that is removed unticks its step", () => {
  const running = { isSet: true, thread: "a", isRunning: true };
  expect(walk([running, running, { isSet: true, thread: "a", hasPassed: true }, { thread: "a" }])).toEqual([
    1, 1, 1, 0,
  ]);
});

test("the same view twice changes nothing", () => {
  const view = fc.record({
    isSet: fc.boolean(),
    thread: fc.constantFrom(undefined, "a", "b"),
    isRunning: fc.boolean(),
    isPaused: fc.boolean(),
    hasPassed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(view), view, (views, last) => {
      const progress = lessonAfter(
        views.reduce((before, one) => lessonAfter(before, one), NO_PROGRESS),
        last,
      );
      const again = lessonAfter(progress, last);
      expect(lessonAfter(again, last)).toBe(again);
    }),
  );
});
