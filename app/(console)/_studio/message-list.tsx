"use client";

import { useState } from "react";
import { isObject, type JsonObject } from "#lib/protocol/json.ts";
import { textOf } from "#lib/rules/threads/content.ts";
import { JsonView } from "../_form/json-view.tsx";
import { Button } from "../_ui/button.tsx";
import { MessageText } from "./message-text.tsx";

/** Returns whether a value is a list of messages, as LangChain writes them. */
export function isMessageList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string" && "content" in value;
}

const MOST = 20;
const LONGEST = 4_000;

/** Shows messages as messages, the newest at the end. `first`: the index of the first one in the state. */
export function MessageList({ messages, first: offset = 0 }: { messages: readonly JsonObject[]; first?: number }) {
  const [shown, setShown] = useState(MOST);
  const first = Math.max(0, messages.length - shown);
  return (
    <div className="flex flex-col gap-2">
      {first > 0 ? (
        <Button variant="quiet" className="w-fit" onClick={() => setShown(shown + 5 * MOST)}>
          Show {Math.min(first, 5 * MOST)} earlier
        </Button>
      ) : null}
      <ol className="flex flex-col gap-2">
        {messages.slice(first).map((message, index) => (
          <Message key={`${first + index} ${String(message.id)}`} message={message} place={offset + first + index} />
        ))}
      </ol>
    </div>
  );
}

function Message({ message, place }: { message: JsonObject; place: number }) {
  const [isRaw, setRaw] = useState(false);
  const text = textOf(message.content);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return (
    <li className="rounded-control bg-well px-3 py-2">
      <div className="flex items-center justify-between gap-2 text-small text-ink-3">
        <span className="min-w-0 truncate">
          {String(message.type)}
          {typeof message.name === "string" && message.name !== "" ? ` · ${message.name}` : ""}
        </span>
        <button
          type="button"
          aria-expanded={isRaw}
          aria-label={`Message ${place} as JSON`}
          onClick={() => setRaw(!isRaw)}
          className="min-h-6 min-w-6 rounded-key font-mono hover:text-ink"
        >
          [{place}]
        </button>
      </div>
      {isRaw ? (
        <JsonView label={`Message ${place}`} value={message} />
      ) : (
        <>
          {text === "" ? null : (
            <div className="mt-0.5 max-h-72 overflow-y-auto wrap-anywhere">
              <MessageText
                type={String(message.type)}
                text={text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}
              />
            </div>
          )}
          {calls.map((call, index) => (
            // Models may give two calls of a message the same id.
            // oxlint-disable-next-line react/no-array-index-key
            <p key={index} className="mt-0.5 font-mono text-code wrap-anywhere text-ink-2">
              {String(call.name)}({(JSON.stringify(call.args) ?? "").slice(0, 300)})
            </p>
          ))}
          {text === "" && calls.length === 0 ? (
            <p className="mt-0.5 text-ink-2">No text. Its JSON has the rest.</p>
          ) : null}
        </>
      )}
    </li>
  );
}
