/** Renders a conversation in a page of an application, for both hooks. */
import { StrictMode, useLayoutEffect, useState, type JSX } from "react";
import { createRoot } from "react-dom/client";

export interface ConversationProps {
  messages: readonly { key: string; role: string; text: string }[];
  thread: string | undefined;
  busy: boolean;
  error: unknown;
  /** The value of the open interrupt. */
  question: unknown;
  say(text: string): void;
  answer(decision: object): void;
  stop(): void;
  /** Replaces the message at this index. */
  edit(index: number, text: string): void;
  /** Regenerates the message at this index. */
  again?: (index: number) => void;
  /** The branches of the conversation at the message with this index. */
  branches?: (index: number) => { here: string; all: readonly string[]; choose(branch: string): void } | undefined;
}

/** The query of the page: `api` is the server's URL, `assistant` its assistant, and `thread` the thread, if any. */
export const query = new URLSearchParams(location.search);
export const api = query.get("api") ?? "";
export const assistant = query.get("assistant") ?? "";

/** Puts the thread into the URL, so that a reload finds it again. */
export function saveThreadInUrl(thread: string): void {
  query.set("thread", thread);
  history.replaceState(null, "", `?${query.toString()}`);
}

declare global {
  interface Window {
    /** Every text that the last message ever had on this page. */
    texts?: string[];
  }
}

export function Conversation(shown: ConversationProps): JSX.Element {
  const [text, setText] = useState("");
  const last = shown.messages.at(-1);
  useLayoutEffect(() => {
    window.texts ??= [];
    if (last?.role === "ai" && window.texts.at(-1) !== last.text) window.texts.push(last.text);
  }, [last]);
  return (
    <main>
      <output aria-label="Thread">{shown.thread}</output>
      <output aria-label="State">{shown.busy ? "busy" : "still"}</output>
      <ol>
        {shown.messages.map(({ key, role, text: content }, index) => (
          <li key={key}>
            <b>{role}</b> <span>{content}</span>
            <button onClick={() => shown.edit(index, text)}>Edit</button>
            {shown.again && <button onClick={() => shown.again?.(index)}>Again</button>}
            <Branches of={shown.branches?.(index)} />
          </li>
        ))}
      </ol>
      {shown.error !== undefined && <p role="alert">{textOf(shown.error)}</p>}
      {shown.question !== undefined && <pre aria-label="Question">{JSON.stringify(shown.question)}</pre>}
      <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
      <button onClick={() => shown.say(text)}>Send</button>
      <button onClick={shown.stop}>Stop</button>
      <button onClick={() => shown.answer({ decisions: [{ type: "approve" }] })}>Approve</button>
    </main>
  );
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error));

function Branches({ of }: { of: ReturnType<NonNullable<ConversationProps["branches"]>> }): JSX.Element | null {
  if (!of) return null;
  const { here, all, choose } = of;
  return (
    <>
      {all.map((branch, number) => (
        <button key={branch} aria-pressed={branch === here} onClick={() => choose(branch)}>
          Branch {number + 1}
        </button>
      ))}
    </>
  );
}

/** Renders in strict mode, which runs every effect twice, as in development. */
export function show(page: JSX.Element): void {
  createRoot(document.body.appendChild(document.createElement("div"))).render(<StrictMode>{page}</StrictMode>);
}
