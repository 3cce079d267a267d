import type { Deployment, EventLog } from "../ports/ports.ts";

type Tasks = Pick<Deployment, "tasks" | "notifications">;

/**
 * Tells those who watch threads when something of a task was stored: a state, which comes a moment after the end of its
 * run, and what became of a push notification about it.
 */
export function announceChanges(
  { tasks, notifications }: Tasks,
  { notifyThreads }: Pick<EventLog, "notifyThreads">,
): Tasks {
  return {
    tasks: {
      ...tasks,
      async change(taskId, change) {
        const changed = await tasks.change(taskId, change);
        if (changed) notifyThreads();
        return changed;
      },
    },
    notifications: {
      ...notifications,
      async settle(notification, outcome) {
        await notifications.settle(notification, outcome);
        notifyThreads();
      },
    },
  };
}
