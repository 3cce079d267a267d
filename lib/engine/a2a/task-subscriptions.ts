/** Subscriptions stay with a task over its questions, from one of its runs to the next. */
import { isoTime } from "../../protocol/iso-time.ts";
import { Fault } from "../../protocol/faults.ts";
import { closeTask, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import { Feed, type FeedBasics, type FeedSource } from "./task-feed.ts";
import type { KnownTask, TaskFeed, TaskFeeds, TaskSubscription } from "../ports/tasks.ts";
import { resolveOnAbort } from "../resolve-on-abort.ts";

/** Subscriptions of a deployment at a time. Each holds a connection, of which a process has not many more. */
const SUBSCRIPTIONS = 4_096;
const FULL = `This deployment has ${SUBSCRIPTIONS} subscriptions to tasks: try again when one of them has ended`;
/** A subscriber that is further behind than so many runs misses the oldest, and is told the whole task in their place. */
const RUNS = 16;

/** A run is followed by the next one, or by an end that no run tells. */
type Next = { readonly feed: Feed } | { readonly end: (heard: TaskProgress) => TaskProgress };

interface Open {
  readonly task: KnownTask;
  next: Next[];
  news: PromiseWithResolvers<void>;
}

interface Subscriptions {
  open: TaskFeeds["subscribe"];
  isOpen: TaskFeeds["isSubscribed"];
  closed: TaskFeeds["closed"];
  deleted: TaskFeeds["deleted"];
  /** A run of a task is followed from now on. */
  begun(feed: Feed): void;
  stop(): void;
}

export function createSubscriptions(platform: FeedBasics, source: FeedSource): Subscriptions {
  const byTask = new Map<string, Set<Open>>();
  let count = 0;
  let stopped = false;

  const push = (one: Open, next: Next): void => {
    one.next = [...one.next, next].slice(-RUNS);
    wake(one);
  };
  const pushAll = (taskId: string, next: Next): void => {
    for (const one of byTask.get(taskId) ?? []) push(one, next);
  };

  return {
    open(task): TaskSubscription {
      if (count >= SUBSCRIPTIONS) throw new Fault("unavailable", FULL);
      const one: Open = { task, next: [], news: Promise.withResolvers() };
      const all = byTask.get(task.task_id) ?? new Set();
      byTask.set(task.task_id, all.add(one));
      count++;
      return {
        async after(feed, signal) {
          while (!stopped && signal?.aborted !== true) {
            const next = one.next.shift();
            if (!next) await resolveOnAbort(one.news.promise, signal);
            else if ("end" in next) return ended(feed, next.end);
            else if (isLater(next.feed, feed)) return next.feed;
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
    isOpen: (taskId) => byTask.has(taskId),
    begun: (feed) => pushAll(feed.task.task_id, { feed }),
    closed: (taskId, heard) => pushAll(taskId, { end: () => heard }),
    deleted(of) {
      const at = isoTime(platform.clock.now());
      const end = (heard: TaskProgress): TaskProgress => closeTask(heard, "canceled", at, "This task was deleted");
      for (const one of [...byTask.values()].flatMap((all) => [...all])) {
        if (one.task.thread_id === of.thread_id || one.task.assistant_id === of.assistant_id) push(one, { end });
      }
    },
    stop() {
      stopped = true;
      for (const all of byTask.values()) for (const one of all) wake(one);
    },
  };

  function ended(before: TaskFeed, end: (heard: TaskProgress) => TaskProgress): Feed {
    const feed = new Feed(platform, source, before.task, before.heard());
    feed.finish(end(before.heard()));
    return feed;
  }
}

function wake(one: Open): void {
  const { news } = one;
  one.news = Promise.withResolvers();
  news.resolve();
}

/** Tells whether a feed is of a run that the other's subscriber has not heard yet. */
function isLater({ task }: TaskFeed, other: TaskFeed): boolean {
  return task.run_ids.length > other.task.run_ids.length;
}
