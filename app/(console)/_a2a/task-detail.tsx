"use client";

import { Suspense, useEffect, useState } from "react";
import { askAgent } from "#lib/client/a2a.ts";
import { newId } from "#lib/client/new-id.ts";
import { isTerminal } from "#lib/protocol/a2a.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import { type ReadTask, readTask, type ShownText } from "#lib/rules/a2a/read-response.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { forgetAnswer } from "../_chat/kept-answer.ts";
import { Button } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { useAct } from "../_ui/use-act.ts";

const InterruptCard = lazyPart(() => import("../_chat/interrupt-card.tsx"));

/** Shows a task with its messages and artifacts. It is read again when the list has a newer version of it. */
export function TaskDetail({ listed, path, onChange }: { listed: ReadTask; path: string; onChange: () => void }) {
  const { id, state } = listed;
  const [task, setTask] = useState<ReadTask>();
  const [unread, setUnread] = useState<string>();
  const { busy, failure = unread, act } = useAct<"call">(onChange);
  useEffect(() => {
    let isStale = false;
    askAgent(path, "GetTask", { id: listed.id }).then(
      (result) => !isStale && setTask(readTask(result)),
      (error: unknown) => !isStale && setUnread(errorMessage(error)),
    );
    return () => {
      isStale = true;
    };
  }, [path, listed]);

  const callAgent = (method: string, params: JsonObject, onDone?: () => void): void => {
    setUnread(undefined);
    act("call", askAgent(path, method, params).then(onDone));
  };
  const answer = (question: TurnInterrupt, value: unknown): void =>
    callAgent("SendMessage", answerTo(listed, value), () => forgetAnswer(question));
  const cancel = (): void => callAgent("CancelTask", { id });

  return (
    <div className="flex flex-col gap-4 px-4 pt-1 pb-4 sm:pl-11">
      {failure === undefined ? null : (
        <Notice alert tone="bad" title="The request failed">
          {failure}
        </Notice>
      )}
      <Ids task={listed} />
      {task ? (
        <TaskContent task={task} onAnswer={answer} busy={busy !== undefined} />
      ) : failure === undefined ? (
        <Loading what="the task" className="h-24" />
      ) : null}
      {state !== undefined && !isTerminal(state) ? (
        <div>
          <Button variant="danger" disabled={busy !== undefined} onClick={cancel}>
            Cancel task
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Returns the message that answers a task: text as a text part, any other value as data that resumes the graph. */
function answerTo({ id, contextId }: ReadTask, value: unknown): JsonObject {
  const part = typeof value === "string" ? { text: value } : { data: { resume: value }, mediaType: "application/json" };
  return {
    message: { messageId: newId(), role: "ROLE_USER", taskId: id, contextId, parts: [part] },
    // The result arrives as a change of the task.
    configuration: { returnImmediately: true },
  };
}

function Ids({ task: { id, contextId } }: { task: ReadTask }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
      {[
        { name: "Task", value: id },
        { name: "Context", value: contextId },
      ].map(({ name, value }) => (
        <div key={name} className="flex min-w-0 items-center gap-2">
          <dt className="text-small text-ink-2">{name}</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono text-code">{value}</code>
            <CopyButton text={value} label={`Copy ${name.toLowerCase()} id`} variant="icon" />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TaskContent({
  task: { id, state, says, interrupts, history, artifacts },
  onAnswer,
  busy,
}: {
  task: ReadTask;
  onAnswer: (question: TurnInterrupt, value: unknown) => void;
  busy: boolean;
}) {
  const needsInput = state === "input-required";
  // A task of another agent may ask by its message alone.
  const [question = { id, value: says ?? "" }] = interrupts;
  return (
    <>
      <Entries title="History" entries={history} empty="No messages." />
      {says && !needsInput ? (
        <Entries title="Status" entries={[{ id: "status", who: "agent", text: says }]} empty="" />
      ) : null}
      {needsInput && !busy ? (
        <Suspense fallback={<Skeleton className="h-32 rounded-card" />}>
          <InterruptCard interrupt={question} onAnswer={(value) => onAnswer(question, value)} />
        </Suspense>
      ) : null}
      {needsInput ? null : <Entries title="Artifacts" entries={artifacts} empty="None." />}
    </>
  );
}

const AUTHORS: Record<ShownText["who"], string> = { person: "Client", agent: "Agent" };

/** Lists texts as plain text, never as Markdown or HTML. */
function Entries({ title, entries, empty }: { title: string; entries: readonly ShownText[]; empty: string }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-small font-medium text-ink-2">{title}</h3>
      {entries.length === 0 ? <p className="text-ink-3">{empty}</p> : null}
      <ul className="flex flex-col gap-1.5">
        {entries.map(({ id, who, name, text }) => (
          <li key={id} className="rounded-control bg-well px-3 py-2">
            <div className="text-small text-ink-2">{name ?? AUTHORS[who]}</div>
            <div className="break-words whitespace-pre-wrap">{text}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}
