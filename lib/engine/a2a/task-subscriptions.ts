/** Subscriptions that stay with a task from one of its runs to the next. */
import { isoTime } from "../../protocol/iso-time.ts";
import { Fault } from "../../protocol/faults.ts";
import { closeTask, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import { Feed, type FeedPlatform, type FeedSource } from "./task-feed.ts";
import type { TaskRecord, TaskFeed, TaskFeeds } from "../ports/tasks.ts";
import { resolveOnAbort } from "../resolve-on-abort.ts";

/** The highest number of subscriptions of a deployment. Each holds a connection, and a process has not many more. */
const SUBSCRIPTIONS = 4_096;
const FULL = `This deployment has ${SUBSCRIPTIONS} subscriptions to tasks: try again when one of them has ended`;
/** The number of waiting runs kept. A subscriber further behind receives the whole task instead of the oldest. */
const MOST_WAITING = 16;

/** The next part of a task: the feed of its next run, or an end that comes from no run. */
type Next = { readonly feed: Feed } | { readonly end: (progress: TaskProgress) => TaskProgress };

interface Subscriber {
  readonly task: TaskRecord;
  next: Next[];
  changed: PromiseWithResolvers<void>;
}

interface Subscriptions extends Pick<TaskFeeds, "subscribe" | "isSubscribed" | "publishEnd" | "publishDeleted"> {
  /** Reports that a run of a task is followed from now on. */
  publishRun(feed: Feed): void;
  stop(): void;
}

export function createSubscriptions(platform: FeedPlatform, source: FeedSource): Subscriptions {
  const byTask = new Map<string, Set<Subscriber>>();
  let count = 0;
  let stopped = false;

  const push = (one: Subscriber, next: Next): void => {
    one.next = [...one.next, next].slice(-MOST_WAITING);
    wake(one);
  };
  const pushAll = (taskId: string, next: Next): void => {
    for (const one of byTask.get(taskId) ?? []) push(one, next);
  };

  return {
    subscribe(task) {
      if (count >= SUBSCRIPTIONS) throw new Fault("unavailable", FULL);
      const one: Subscriber = { task, next: [], changed: Promise.withResolvers() };
      const all = byTask.get(task.task_id) ?? new Set();
      byTask.set(task.task_id, all.add(one));
      count++;
      return {
        async nextFeed(feed, signal) {
          while (!stopped && signal?.aborted !== true) {
            const next = one.next.shift();
            if (!next) await resolveOnAbort(one.changed.promise, signal);
            else if ("end" in next) return ended(feed, next.end);
            else if (next.feed.task.run_ids.length > feed.task.run_ids.length) return next.feed;
          }
          return undefined;
        },
        close() {
          if (!all.delete(one)) return;
          count--;
          if (all.size === 0) byTask.delete(task.task_id);
        },
      };
    },
    isSubscribed: (taskId) => byTask.has(taskId),
    publishRun: (feed) => pushAll(feed.task.task_id, { feed }),
    publishEnd: (taskId, progress) => pushAll(taskId, { end: () => progress }),
    publishDeleted(of) {
      const at = isoTime(platform.clock.now());
      const end = (progress: TaskProgress): TaskProgress =>
        closeTask(progress, "canceled", at, "This task was deleted");
      for (const one of [...byTask.values()].flatMap((all) => [...all])) {
        if (one.task.thread_id === of.thread_id || one.task.assistant_id === of.assistant_id) push(one, { end });
      }
    },
    stop() {
      stopped = true;
      for (const all of byTask.values()) for (const one of all) wake(one);
    },
  };

  function ended(before: TaskFeed, end: (progress: TaskProgress) => TaskProgress): Feed {
    const feed = new Feed(platform, source, before.task, before.progress());
    feed.finish(end(before.progress()));
    return feed;
  }
}

function wake(one: Subscriber): void {
  const { changed } = one;
  one.changed = Promise.withResolvers();
  changed.resolve();
}
