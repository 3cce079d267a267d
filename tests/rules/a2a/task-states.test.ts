import fc from "fast-check";
import { expect, test } from "vitest";
import { isResting, isTerminal, TASK_STATES, type TaskState } from "../../../lib/protocol/a2a.ts";
import { taskEvents, taskTransitions } from "../../../lib/rules/a2a/task-states.ts";

const state = fc.constantFrom(...TASK_STATES);
const event = fc.constantFrom(...taskEvents);

test("the table has every event in every state, with a state or null", () => {
  expect(Object.keys(taskTransitions).toSorted()).toEqual(TASK_STATES.toSorted());
  for (const from of TASK_STATES) {
    expect(Object.keys(taskTransitions[from]).toSorted(), from).toEqual(taskEvents.toSorted());
    for (const what of taskEvents) expect([...TASK_STATES, null]).toContain(taskTransitions[from][what]);
  }
});

test("a task that has ended keeps its state, and every other one can be cancelled", () => {
  fc.assert(
    fc.property(state, fc.array(event), (from, events) => {
      const to = events.reduce<TaskState>((now, what) => taskTransitions[now][what] ?? now, from);
      if (isTerminal(from)) expect(to).toBe(from);
      else expect(taskTransitions[from].cancel).toBe("canceled");
    }),
  );
});

test("a resting state is left only by begin, resume and cancel, and is reached by every event but begin and say", () => {
  for (const from of TASK_STATES) {
    for (const what of taskEvents) {
      const to: TaskState | null = taskTransitions[from][what];
      if (to === null) continue;
      if (isResting(from)) expect(["begin", "resume", "cancel"], `${from} ${what}`).toContain(what);
      else expect(isResting(to), `${from} ${what}`).toBe(what !== "begin" && what !== "say");
    }
  }
});

test("an answer is accepted only where the task waits for one, and makes it submitted", () => {
  for (const from of TASK_STATES) {
    const waits = isResting(from) && !isTerminal(from);
    expect(taskTransitions[from].resume, from).toBe(waits ? "submitted" : null);
  }
});
