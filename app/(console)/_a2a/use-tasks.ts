"use client";

import { useCallback, useEffect, useRef } from "react";
import { askAgent } from "#lib/client/a2a.ts";
import type { TaskState } from "#lib/protocol/a2a.ts";
import { type ReadTask, readTask } from "#lib/rules/a2a/read-response.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import { useRead } from "../_ui/use-read.ts";

const PAGE = 25;
/** The largest page that the agent returns. */
const LARGEST_PAGE = 100;
/** The number of messages to read of each task, which is enough to find its first message. */
const MESSAGES = 10;

interface LoadedTasks {
  /** Undefined until the first read has succeeded. */
  readonly tasks: readonly ReadTask[] | undefined;
  readonly total: number;
}

export interface TaskList extends LoadedTasks {
  readonly failure: string | undefined;
  readonly refresh: () => Promise<void>;
  readonly more: () => Promise<void>;
}

const NOT_LOADED: LoadedTasks = { tasks: undefined, total: 0 };

/** Lists the tasks of an agent, newest first. They are read again when threads may have changed, as each new connection says. */
export function useTasks(path: string, state: TaskState | undefined, subscribe: SubscribeToThreads): TaskList {
  const wanted = useRef(PAGE);
  const read = useCallback(() => listTasks(path, state, wanted.current), [path, state]);
  const { value, failure, refresh } = useRead(read, NOT_LOADED);
  useEffect(() => {
    void refresh();
    return subscribe(() => void refresh());
  }, [refresh, subscribe]);
  const more = (): Promise<void> => {
    wanted.current = (value.tasks?.length ?? 0) + PAGE;
    return refresh();
  };
  return { ...value, failure, refresh, more };
}

async function listTasks(path: string, state: TaskState | undefined, wanted: number): Promise<LoadedTasks> {
  const status = state && `TASK_STATE_${state.toUpperCase().replaceAll("-", "_")}`;
  const tasks: ReadTask[] = [];
  let pageToken = "";
  let total = 0;
  do {
    const answer = await askAgent(path, "ListTasks", {
      pageSize: Math.min(LARGEST_PAGE, wanted - tasks.length),
      historyLength: MESSAGES,
      ...(status && { status }),
      ...(pageToken !== "" && { pageToken }),
    });
    const page: unknown[] = Array.isArray(answer.tasks) ? answer.tasks : [];
    tasks.push(...page.map(readTask).filter((task) => task !== undefined));
    total = Number(answer.totalSize ?? tasks.length);
    pageToken = typeof answer.nextPageToken === "string" ? answer.nextPageToken : "";
  } while (pageToken !== "" && tasks.length < wanted);
  // A task that changed between two pages is on both of them.
  return { tasks: [...new Map(tasks.map((task) => [task.id, task])).values()], total };
}
