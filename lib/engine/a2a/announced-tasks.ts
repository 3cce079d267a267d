import type { Deployment, EventLog } from "../ports/ports.ts";

type Tasks = Pick<Deployment, "tasks" | "letters">;

/**
 * Tells those who watch threads when something of a task was stored: a state, which comes a moment after the end of its
 * run, and what became of a push notification about it.
 */
export function announceTasks({ tasks, letters }: Tasks, { tellThreads }: Pick<EventLog, "tellThreads">): Tasks {
  return {
    tasks: {
      ...tasks,
      async change(taskId, change) {
        const changed = await tasks.change(taskId, change);
        if (changed) tellThreads();
        return changed;
      },
    },
    letters: {
      ...letters,
      async settle(letter, outcome) {
        await letters.settle(letter, outcome);
        tellThreads();
      },
    },
  };
}
