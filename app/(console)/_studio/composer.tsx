"use client";

import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { takesMessages } from "#lib/client/example-input.ts";
import { isObject } from "#lib/protocol/json.ts";
import { Button } from "../_ui/button.tsx";
import { Key } from "../_ui/key.tsx";
import { useEarlySend } from "./use-early-send.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";
import { useRunActions } from "./use-run-actions.ts";

/** The field for a message, of graphs that take messages. Up and down lead through earlier ones. */
export function Composer() {
  const { graph, info, input, start, query, options, assistants, state } = useStudio();
  const { canRun } = useRunActions();
  const [text, setText] = useState("");
  const [sent, setSent] = useState("");
  const { end } = state;
  const [seenEnd, setSeenEnd] = useState(end);
  if (end !== seenEnd) {
    setSeenEnd(end);
    // The message was not sent, so it stays in the field.
    if ((end?.how === "lost" || end?.how === "refused") && text === "") setText(sent);
  }
  const earlier = useRef<{ texts: string[]; at: number }>({ texts: [], at: 0 });
  const hasMessages = useMemo(() => takesMessages(info.schemas?.input_schema), [info.schemas]);
  const { interrupts } = useShown();
  // A message would drop the open questions.
  const isShown = hasMessages && interrupts.length === 0;
  const content = text.trim();
  const canSend = isShown && canRun && content !== "";
  const send = () => {
    if (!canSend) return;
    const { messages: _messages, ...others } = isObject(input) ? input : {};
    earlier.current.texts = [...earlier.current.texts.slice(-49), content];
    earlier.current.at = earlier.current.texts.length;
    setText("");
    setSent(content);
    void start({ input: { ...others, messages: [{ type: "human", content }] } });
  };
  const early = useEarlySend(send);
  if (!isShown) return null;
  const recall = (step: number): boolean => {
    const { texts, at } = earlier.current;
    const to = at + step;
    if (to < 0 || to > texts.length) return false;
    earlier.current.at = to;
    early.forget();
    setText(texts[to] ?? "");
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends the composition of a character (IME) does not send the message.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      early.ask();
    } else if (event.key === "ArrowUp" && (text === "" || text === earlier.current.texts[earlier.current.at])) {
      if (recall(-1)) event.preventDefault();
    } else if (event.key === "ArrowDown" && text === earlier.current.texts[earlier.current.at]) {
      if (recall(1)) event.preventDefault();
    }
  };
  const name = assistants.find((one) => one.id === options.assistant)?.name ?? graph;
  return (
    <form
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        early.ask();
      }}
      className="m-3 shrink-0 rounded-card border border-line-strong bg-raised transition-colors focus-within:border-accent"
    >
      <textarea
        rows={1}
        value={text}
        onChange={(event) => {
          early.forget();
          setText(event.target.value);
        }}
        onKeyDown={onKeyDown}
        aria-label={`Message to ${name}`}
        placeholder={`Message to ${name}…`}
        className="field-sizing-content block max-h-36 min-h-10 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none"
      />
      <div className="flex items-center justify-between gap-2 px-2 pb-2">
        <output className="min-w-0 truncate px-1 text-small text-ink-3">
          {early.isWaiting
            ? "It is sent once the graph is read…"
            : query.checkpoint === null
              ? query.thread === null
                ? "new thread"
                : "this thread"
              : "forks at the shown checkpoint"}
        </output>
        <Button
          type="submit"
          variant="quiet"
          disabled={!canSend && (content === "" || !early.isEarly || early.isWaiting)}
          className="h-7! px-2!"
        >
          Send <Key>Enter</Key>
        </Button>
      </div>
    </form>
  );
}
