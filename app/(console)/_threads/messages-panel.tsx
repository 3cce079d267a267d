"use client";

import { useCallback, useEffect, useState } from "react";
import { isObject } from "#lib/protocol/json.ts";
import { grouped } from "#lib/rules/text/counted.ts";
import { textOf } from "#lib/rules/threads/content.ts";
import { JsonBox } from "../_rooms/json-box.tsx";
import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";

const AUTHORS: Readonly<Record<string, string>> = {
  human: "Human",
  ai: "AI",
  tool: "Tool",
  system: "System",
  developer: "Developer",
  function: "Function",
};

/** Messages that are shown at a time, the newest first of all. */
const CHUNK = 50;
const LONGEST = 10_000;

/** Shows the messages in a thread's state as plain text, and those of unknown kinds as JSON. */
export function MessagesPanel({ read }: { read: () => Promise<unknown> }) {
  const load = useCallback(async () => ({ values: await read() }), [read]);
  const { value, failure, refresh } = useRead<{ values: unknown } | undefined>(load, undefined);
  useEffect(() => void refresh(), [refresh]);
  const [shown, setShown] = useState(CHUNK);
  if (failure !== undefined) {
    return (
      <LoadFailure what="The messages" onRetry={() => void refresh()}>
        {failure}
      </LoadFailure>
    );
  }
  if (!value) return <Loading what="the messages" className="h-40" />;
  const { values } = value;
  const messages: readonly unknown[] = isObject(values) && Array.isArray(values.messages) ? values.messages : [];
  if (messages.length === 0) return <p className="text-ink-2">The state has no messages.</p>;
  const first = Math.max(0, messages.length - shown);
  return (
    <>
      {first > 0 ? (
        <Button className="mb-3" onClick={() => setShown(shown + CHUNK)}>
          Show {Math.min(CHUNK, first)} earlier of {grouped(first)}
        </Button>
      ) : null}
      <ol aria-label="Messages" className="flex flex-col gap-2">
        {messages.slice(first).map((message, place) => (
          // Messages need not have ids, and their positions do not change.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={first + place} className="rounded-card border border-line p-3">
            <Message message={message} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Message({ message }: { message: unknown }) {
  const author = isObject(message) && typeof message.type === "string" ? AUTHORS[message.type] : undefined;
  if (!isObject(message) || author === undefined) return <JsonBox value={message} label="Message of an unknown kind" />;
  const text = textOf(message.content);
  const calls: readonly unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return (
    <>
      <div className="mb-1 text-small text-ink-2">
        {author}
        {typeof message.name === "string" ? ` · ${message.name}` : ""}
      </div>
      {text === "" && calls.length === 0 ? <JsonBox value={message.content} label="Content" /> : null}
      {text === "" ? null : (
        <div className="max-h-96 overflow-auto break-words whitespace-pre-wrap">{text.slice(0, LONGEST)}</div>
      )}
      {text.length > LONGEST ? (
        <div className="text-small text-ink-3">{grouped(text.length)} characters; the state has all of them.</div>
      ) : null}
      {calls.length > 0 ? <JsonBox value={calls} label="Tool calls" /> : null}
    </>
  );
}
