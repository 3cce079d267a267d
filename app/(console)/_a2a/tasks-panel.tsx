"use client";

import { useSearchParams } from "next/navigation";
import { taskStates } from "#lib/rules/a2a/read-response.ts";
import { counted } from "#lib/rules/text/counted.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import type { ChosenAssistant } from "../_chat/assistant.ts";
import { Button } from "../_ui/button.tsx";
import { Card } from "../_ui/card.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Select } from "../_ui/select.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { Deliveries } from "./deliveries.tsx";
import { replaceQuery } from "../_ui/replace-query.ts";
import { TaskRow } from "./task-row.tsx";
import { TASK_STATES } from "./task-states.tsx";
import { type TaskList, useTasks } from "./use-tasks.ts";

interface TasksPanelProps {
  deployment: string;
  assistant: ChosenAssistant;
  path: string;
  subscribe: SubscribeToThreads;
  /** True if the agent supports push notifications. */
  pushes: boolean;
}

/** Lists the tasks of this agent, and the push notifications about them. */
export default function TasksPanel({ deployment, assistant, path, subscribe, pushes }: TasksPanelProps) {
  const query = useSearchParams();
  const state = taskStates.find((one) => one === query.get("state"));
  const list = useTasks(path, state, subscribe);
  return (
    <div className="flex flex-col gap-3">
      {list.failure === undefined ? null : (
        <LoadFailure what="The tasks" onRetry={() => void list.refresh()}>
          {list.failure}
          {list.tasks ? " The list may be out of date." : ""}
        </LoadFailure>
      )}
      <Card
        title="Tasks"
        aside={
          <div className="flex items-center gap-3">
            <output className="text-ink-2">{list.tasks ? counted(list.total, "task") : ""}</output>
            <Select
              label="State"
              value={state ?? ""}
              onChange={({ target: { value } }) => replaceQuery({ state: value || undefined, task: undefined })}
            >
              <option value="">All states</option>
              {taskStates.map((one) => (
                <option key={one} value={one}>
                  {TASK_STATES[one].word}
                </option>
              ))}
            </Select>
          </div>
        }
      >
        <Rows list={list} path={path} chosen={query.get("task") ?? undefined} filtered={state !== undefined} />
      </Card>
      {pushes ? (
        <Deliveries deployment={deployment} assistant={assistant.assistantId ?? ""} subscribe={subscribe} />
      ) : null}
    </div>
  );
}

function Rows({
  list,
  path,
  chosen,
  filtered,
}: {
  list: TaskList;
  path: string;
  chosen: string | undefined;
  filtered: boolean;
}) {
  if (!list.tasks && list.failure !== undefined) return <div className="h-3" />;
  if (!list.tasks) return <Loading what="the tasks" className="mx-4 mt-1 mb-4 h-40" />;
  if (list.tasks.length === 0) {
    return (
      <p className="px-4 pt-1 pb-4 text-ink-2">
        {filtered
          ? "No task is in this state."
          : "None yet. Each message from a client starts a task: send the first one under “Try it”."}
      </p>
    );
  }
  return (
    <>
      <ul className="mt-2 border-t border-line">
        {list.tasks.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            path={path}
            isOpen={task.id === chosen}
            onOpen={(open) => replaceQuery({ task: open ? task.id : undefined })}
            onChange={() => void list.refresh()}
          />
        ))}
      </ul>
      {list.tasks.length < list.total ? (
        <div className="border-t border-line p-3">
          <Button onClick={() => void list.more()}>Load more</Button>
        </div>
      ) : null}
    </>
  );
}
