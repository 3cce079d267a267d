/** Follows each task under way once, and keeps the subscriptions that outlive a run. */
import { isResting, isTerminal } from "../../protocol/a2a.ts";
import { beginRun, endAfter, foldEvent, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import type { Deployment } from "../ports/ports.ts";
import { Feed, type FeedPlatform, type FeedSource, newestRun } from "./task-feed.ts";
import type { TaskRecord, TaskFeeds } from "../ports/tasks.ts";
import { createSubscriptions } from "./task-subscriptions.ts";

export function createTaskFeeds(platform: FeedPlatform, source: FeedSource): TaskFeeds {
  const feeds = new Map<string, Feed>();
  const stopping = new AbortController();
  const { publishRun, stop: stopSubscriptions, ...subscriptions } = createSubscriptions(platform, source);
  const open = (task: TaskRecord): Feed => {
    const runId = newestRun(task);
    const known = feeds.get(runId);
    if (known) return known;
    const feed = new Feed(platform, source, task);
    feeds.set(runId, feed);
    publishRun(feed);
    feed.done = feed
      .run(stopping.signal)
      .catch((error: unknown) => platform.logger.error(`task ${task.task_id} could not be followed`, error))
      .finally(() => {
        feed.close();
        feeds.delete(runId);
      });
    return feed;
  };
  return {
    open,
    find: (task) => feeds.get(newestRun(task)),
    atRest(task, progress) {
      const feed = new Feed(platform, source, task, progress);
      feed.close();
      return feed;
    },
    ...subscriptions,
    openOf(run) {
      if (run.trigger !== "a2a") return;
      source.tasks
        .ofRun(run)
        .then((task) => task && open(task))
        .catch((error: unknown) => platform.logger.error(`the task of run ${run.run_id} could not be read`, error));
    },
    refresh(taskId) {
      if (!subscriptions.isSubscribed(taskId)) return;
      source.tasks
        .get(taskId)
        .then((task) => {
          if (task && !isResting(task.state)) open(task);
          else if (task?.progress && isTerminal(task.state)) subscriptions.publishEnd(taskId, task.progress);
        })
        .catch((error: unknown) => platform.logger.error(`task ${taskId} could not be read`, error));
    },
    async recover() {
      for (const task of await source.tasks.active()) open(task);
    },
    async stop() {
      stopping.abort();
      stopSubscriptions();
      await Promise.all([...feeds.values()].map((feed) => feed.done));
    },
  };
}

/** Returns the progress that follows from the stored events of the task's newest run. */
export async function readNewestRun(
  { log, runs }: Pick<Deployment, "log" | "runs">,
  task: TaskRecord,
): Promise<TaskProgress> {
  const runId = newestRun(task);
  const run = await runs.get(runId);
  const at = run?.updated_at ?? task.status_at;
  let progress = beginRun(task);
  let seen = -1;
  for (let batch = await log.read(runId, seen); batch.length > 0; batch = await log.read(runId, seen)) {
    for (const event of batch) progress = foldEvent(progress, event, at);
    seen = batch.at(-1)?.id ?? seen;
  }
  return endAfter(progress, run, at) ?? progress;
}
