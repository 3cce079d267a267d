"use client";

import { useState } from "react";
import { newId } from "#lib/client/new-id.ts";
import { curlCall } from "#lib/client/quick-start.ts";
import { isTerminal, type TaskState } from "#lib/protocol/a2a.ts";
import { compose, type RequestDraft, isStreaming } from "#lib/rules/a2a/request-draft.ts";
import { readFrame } from "#lib/rules/a2a/read-response.ts";
import type { ChosenAssistant } from "../_chat/assistant.ts";
import { CodeBlock } from "../_ui/code.tsx";
import { FramesCard } from "./frames-card.tsx";
import { TryForm } from "./try-form.tsx";
import { useExchange } from "./use-exchange.ts";

interface TryPanelProps {
  path: string;
  url: string;
  assistant: ChosenAssistant;
  keyed: boolean;
}

/** The context and the task that the next call continues, taken from the last response. */
interface TaskReference {
  contextId: string;
  taskId: string;
  /** The state of the task, if a response has contained it. */
  state: TaskState | undefined;
}

const NOTHING: TaskReference = { contextId: "", taskId: "", state: undefined };

/** An A2A client: composes a call, sends it, and shows every frame of the response. */
export default function TryPanel({ path, url, assistant, keyed }: TryPanelProps) {
  const { starters, takesMessages, example } = assistant;
  const data = JSON.stringify(example, null, 2);
  const [form, setForm] = useState<Pick<RequestDraft, "dialect" | "verb" | "as">>({
    dialect: "1.0",
    verb: "stream",
    as: takesMessages ? "text" : "data",
  });
  const [written, setWritten] = useState({ text: starters[0] ?? "Hello", data, params: "" });
  const [reference, setReference] = useState(NOTHING);
  const [ids, setIds] = useState(() => ({ rpc: 1, message: newId() }));
  const exchange = useExchange(path, ({ value }) => {
    const { contextId, taskId, state } = readFrame(value);
    if (contextId === undefined && taskId === undefined) return;
    setReference((before) => ({
      contextId: contextId ?? before.contextId,
      taskId: taskId ?? before.taskId,
      state: state ?? (taskId === before.taskId ? before.state : undefined),
    }));
  });

  const over = reference.state !== undefined && isTerminal(reference.state);
  const { contextId, taskId } = reference;
  const draft: RequestDraft = { ...form, written: written[form.as], contextId, taskId, over };
  const composed = compose(draft, ids);
  const change = (part: Partial<typeof form>): void => {
    // "All parameters" starts with the parameters that the form has composed.
    if (part.as === "params" && !("problem" in composed)) {
      setWritten({ ...written, params: JSON.stringify(composed.body.params, null, 2) });
    }
    setForm({ ...form, ...part });
  };
  const send = (): void => {
    if ("problem" in composed || exchange.end === "running") return;
    exchange.send(composed);
    setIds(({ rpc }) => ({ rpc: rpc + 1, message: newId() }));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <TryForm
          draft={draft}
          state={reference.state}
          problem={"problem" in composed ? composed.problem : undefined}
          running={exchange.end === "running"}
          onForm={change}
          onWritten={(text) => setWritten({ ...written, [form.as]: text })}
          onIds={(part) => setReference({ ...reference, state: undefined, ...part })}
          onClear={() => setReference(NOTHING)}
          onSend={send}
          onStop={exchange.stop}
        />
        {"problem" in composed ? null : (
          <CodeBlock
            code={curlCall(url, composed.body, {
              keyed,
              streams: isStreaming(form.verb),
              more: composed.version,
            })}
            title="Terminal"
            label="This call with curl"
          />
        )}
      </div>
      <FramesCard exchange={exchange} />
    </div>
  );
}
