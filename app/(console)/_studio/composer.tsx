"use client";

import { type KeyboardEvent, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import { takesMessages, withMessage } from "#lib/client/example-input.ts";
import { Button } from "../_ui/button.tsx";
import { Key } from "../_ui/key.tsx";
import { useEarlierMessages } from "./use-earlier-messages.ts";
import { useEarlySend } from "./use-early-send.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";
import { useRunActions } from "./use-run-actions.ts";

/** The field for a message, of graphs that take messages. Up and down lead through earlier ones. */
export function Composer() {
  const { graph, info, input, start, options, assistants, state, composer } = useStudio();
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
  const earlier = useEarlierMessages();
  const hasMessages = useMemo(() => takesMessages(info.schemas?.input_schema), [info.schemas]);
  const { interrupts } = useShown();
  // A message would drop the open questions.
  const isShown = hasMessages && interrupts.length === 0;
  const content = text.trim();
  const canSend = isShown && canRun && content !== "";
  const send = () => {
    if (!canSend) return;
    earlier.remember(content);
    setText("");
    setSent(content);
    void start({ input: withMessage(input, content) });
  };
  const early = useEarlySend(send);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isMissing, setMissing] = useState(false);
  const submit = () => {
    if (content !== "") return early.ask();
    setMissing(true);
    field.current?.focus();
  };
  useImperativeHandle(composer, () => ({ text: () => content, isShown: () => isShown, submit }));
  const hint = useId();
  if (!isShown) return null;
  const change = (next: string) => {
    early.forget();
    setMissing(false);
    setText(next);
  };
  const recall = (step: 1 | -1): boolean => {
    const message = earlier.recall(step);
    if (message !== undefined) change(message);
    return message !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends the composition of a character (IME) does not send the message.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "ArrowUp" && (text === "" || text === earlier.current)) {
      if (recall(-1)) event.preventDefault();
    } else if (event.key === "ArrowDown" && text === earlier.current) {
      if (recall(1)) event.preventDefault();
    }
  };
  const name = assistants.find((one) => one.id === options.assistant)?.name ?? graph;
  // The schemas of the graph tell whether it takes messages.
  const label = info.isReady ? `Message to ${name}` : "Message";
  return (
    <form
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="m-3 shrink-0 rounded-card border border-line-strong bg-raised transition-colors focus-within:border-accent"
    >
      <textarea
        ref={field}
        rows={1}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label={label}
        aria-describedby={hint}
        placeholder={info.isReady ? `${label}…` : "Reading the graph…"}
        className="field-sizing-content block max-h-36 min-h-10 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none"
      />
      <div className="flex items-center justify-between gap-2 px-2 pb-2">
        <output className="min-w-0 truncate px-1 text-small text-ink-3">
          <span id={hint} className={isMissing ? "text-bad" : ""}>
            {early.isWaiting ? (
              "It is sent once the graph is read…"
            ) : isMissing ? (
              "Write a message to run the graph"
            ) : (
              <Target />
            )}
          </span>
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

/** Says on which thread the message begins a run, and where. */
function Target() {
  const { query, state } = useStudio();
  if (query.thread === null || state.thread === "gone") return "new thread";
  return query.checkpoint === null ? "this thread" : "forks at the shown checkpoint";
}
