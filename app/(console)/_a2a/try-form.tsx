"use client";

import { Square } from "lucide-react";
import { type KeyboardEvent, useId } from "react";
import type { TaskState } from "#lib/protocol/a2a.ts";
import {
  type RequestDraft,
  methodNamed,
  takesMessage,
  takesTask,
  triedVerbs,
  type TriedVerb,
} from "#lib/rules/a2a/request-draft.ts";
import { Button } from "../_ui/button.tsx";
import { Card } from "../_ui/card.tsx";
import { SelectField, TextArea, TextField } from "../_ui/field.tsx";
import { Key } from "../_ui/key.tsx";
import { Segments } from "../_ui/segments.tsx";
import { TASK_STATES } from "./task-states.tsx";

interface TryFormProps {
  draft: RequestDraft;
  /** The last known state of the task that the call continues. */
  state: TaskState | undefined;
  /** The reason why the call cannot be sent. */
  problem: string | undefined;
  running: boolean;
  onForm: (part: Partial<Pick<RequestDraft, "dialect" | "verb" | "as">>) => void;
  onWritten: (text: string) => void;
  onIds: (part: { contextId?: string; taskId?: string }) => void;
  onClear: () => void;
  onSend: () => void;
  onStop: () => void;
}

const DIALECTS = [
  { value: "1.0", label: "v1.0" },
  { value: "0.3", label: "v0.3" },
] as const;

const METHODS: Record<TriedVerb, string> = {
  send: "Send a message and wait",
  stream: "Send a message and stream",
  get: "Get a task",
  list: "List tasks",
  cancel: "Cancel a task",
  subscribe: "Subscribe to a task",
  extendedCard: "Extended card",
};

/** Handles the keys of every field: Ctrl+Enter sends, and Esc stops a running call. */
const keysOf = ({ running, onSend, onStop }: Pick<TryFormProps, "running" | "onSend" | "onStop">) => {
  return (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSend();
    } else if (event.key === "Escape" && running) onStop();
  };
};

export function TryForm(props: TryFormProps) {
  const { draft, problem, running, onForm, onSend, onStop } = props;
  const { dialect, verb } = draft;
  return (
    <Card
      title="Call"
      aside={
        <Segments
          label="Protocol version"
          options={DIALECTS}
          value={dialect}
          onValue={(value) => onForm({ dialect: value })}
        />
      }
    >
      <form
        aria-label="Call"
        className="flex flex-col gap-3 px-4 pt-1 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <SelectField
          label="Method"
          value={verb}
          onKeyDown={keysOf(props)}
          onChange={({ target: { value } }) => onForm({ verb: triedVerbs.find((one) => one === value) ?? "send" })}
          hint={<code className="font-mono">{methodNamed(dialect, verb)}</code>}
        >
          {triedVerbs.map((one) => (
            <option key={one} value={one}>
              {METHODS[one]}
            </option>
          ))}
        </SelectField>
        <Content {...props} />
        <IdFields {...props} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button type="submit" variant="primary" disabled={problem !== undefined || running}>
            Send
          </Button>
          {running ? (
            <Button onClick={onStop}>
              <Square /> Stop
            </Button>
          ) : null}
          <output className="min-w-0 flex-1 text-small text-ink-2">
            {problem ?? (running ? "Receiving…" : <Key>Ctrl Enter</Key>)}
          </output>
        </div>
      </form>
    </Card>
  );
}

const FORMS = [
  { value: "text", label: "Text" },
  { value: "data", label: "Data" },
  { value: "params", label: "All parameters" },
] as const;

const LABELS: Record<RequestDraft["as"], string> = {
  text: "Message",
  data: "Data part (JSON)",
  params: "Parameters (JSON)",
};

function Content(props: TryFormProps) {
  const { onForm, onWritten } = props;
  const { verb, as, written } = props.draft;
  const isWritten = takesMessage(verb) || as === "params";
  return (
    <div className="flex flex-col gap-2">
      {takesMessage(verb) ? (
        <Segments label="Message format" options={FORMS} value={as} onValue={(value) => onForm({ as: value })} />
      ) : (
        <Segments
          label="Parameters"
          options={[
            { value: "text", label: "From the form" },
            { value: "params", label: "All parameters" },
          ]}
          value={as === "params" ? "params" : "text"}
          onValue={(value) => onForm({ as: value })}
        />
      )}
      {isWritten ? (
        <TextArea
          label={LABELS[as]}
          rows={as === "text" ? 3 : 8}
          value={written}
          onKeyDown={keysOf(props)}
          onChange={(event) => onWritten(event.target.value)}
        />
      ) : null}
    </div>
  );
}

/** The fields for the ids of context and task. The last response fills them, and the user may change them. */
function IdFields(props: TryFormProps) {
  const { draft, state, onIds, onClear } = props;
  const id = useId();
  const { verb, as, contextId, taskId, over } = draft;
  if (as === "params" || verb === "extendedCard") return null;
  const isTask = takesTask(verb);
  const word = state === undefined ? undefined : TASK_STATES[state].word.toLowerCase();
  const hint =
    word === undefined ? undefined : takesMessage(verb) && over ? `${word}: not sent with a message` : `state: ${word}`;
  return (
    <fieldset aria-labelledby={id} className="rounded-control border border-line p-3">
      <div className="mb-2 flex h-6 items-center justify-between">
        <span id={id} className="font-medium">
          Continue
        </span>
        {contextId !== "" || taskId !== "" ? (
          <Button variant="quiet" onClick={onClear} className="-mr-2">
            Start over
          </Button>
        ) : null}
      </div>
      <div className="flex flex-col gap-2">
        {isTask ? null : (
          <TextField
            label="Context id"
            mono
            placeholder="none: a new context"
            value={contextId}
            onKeyDown={keysOf(props)}
            onChange={(event) => onIds({ contextId: event.target.value.trim() })}
          />
        )}
        {verb === "list" ? null : (
          <TextField
            label="Task id"
            mono
            placeholder={isTask ? "required" : "none: a new task"}
            hint={hint}
            value={taskId}
            onKeyDown={keysOf(props)}
            onChange={(event) => onIds({ taskId: event.target.value.trim() })}
          />
        )}
      </div>
    </fieldset>
  );
}
