import type { Deployment, EventLog } from "../ports/ports.ts";

type Tasks = Pick<Deployment, "tasks" | "notifications">;

/**
 * Adds to both stores that thread watchers are notified when a state of a task, or the result of a push notification,
 * was stored. The state is stored a moment after the end of its run.
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
