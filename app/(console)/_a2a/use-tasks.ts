"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { askAgent } from "@/lib/client/a2a.ts";
import type { TaskState } from "@/lib/protocol/a2a.ts";
import { type ReadTask, readTask } from "@/lib/rules/a2a/read-response.ts";
import { errorMessage } from "@/lib/rules/text/error-message.ts";
import { useLive } from "../_shell/live.tsx";
import type { SubscribeToThreads } from "./use-thread-changes.ts";

const PAGE = 25;
/** The largest page that the agent returns. */
const LARGEST_PAGE = 100;
/** The number of messages to read of each task, which is enough to find its first message. */
const MESSAGES = 10;

export interface TaskList {
  /** Undefined until the first read has succeeded. */
  readonly tasks: readonly ReadTask[] | undefined;
  readonly total: number;
  readonly failure: string | undefined;
  readonly refresh: () => Promise<void>;
  readonly more: () => Promise<void>;
}

interface LoadedTasks {
  tasks: readonly ReadTask[] | undefined;
  total: number;
}

/** Lists the tasks of an agent, newest first. They are read again when threads change and after a reconnect. */
export function useTasks(path: string, state: TaskState | undefined, subscribe: SubscribeToThreads): TaskList {
  const [{ tasks, total }, setLoaded] = useState<LoadedTasks>({ tasks: undefined, total: 0 });
  const [failure, setFailure] = useState<string>();
  const isLost = useLive().link === "reconnecting";
  const wanted = useRef(PAGE);
  const newest = useRef(0);
  const refresh = useCallback(async () => {
    const request = ++newest.current;
    try {
      const found = await listTasks(path, state, wanted.current);
      if (request !== newest.current) return;
      setLoaded(found);
      setFailure(undefined);
    } catch (error) {
      if (request === newest.current) setFailure(errorMessage(error));
    }
  }, [path, state]);
  useEffect(() => {
    if (isLost) return undefined;
    void refresh();
    return subscribe(() => void refresh());
  }, [refresh, subscribe, isLost]);
  const more = (): Promise<void> => {
    wanted.current = (tasks?.length ?? 0) + PAGE;
    return refresh();
  };
  return { tasks, total, failure, refresh, more };
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
