/** What a page of an application shows of a conversation, whichever hook it is held by. */
import { StrictMode, useLayoutEffect, useState, type JSX } from "react";
import { createRoot } from "react-dom/client";

export interface Shown {
  messages: readonly { key: string; role: string; text: string }[];
  thread: string | undefined;
  busy: boolean;
  error: unknown;
  /** What the graph asks of a person. */
  question: unknown;
  say(text: string): void;
  answer(decision: object): void;
  stop(): void;
  /** Says something else in place of the message at this place. */
  edit(place: number, text: string): void;
  /** Has the message at this place answered again. */
  again?: (place: number) => void;
  /** Other ways in which the conversation went on with the message at this place. */
  branches?: (place: number) => { here: string; all: readonly string[]; choose(branch: string): void } | undefined;
}

/** What the page was asked for: `?api=` where the server is, `assistant=`, and `thread=` once there is one. */
export const asked = new URLSearchParams(location.search);
export const api = asked.get("api") ?? "";
export const assistant = asked.get("assistant") ?? "";

/** So that a reload finds the thread again. */
export function keepThread(thread: string): void {
  asked.set("thread", thread);
  history.replaceState(null, "", `?${asked.toString()}`);
}

declare global {
  interface Window {
    /** Every text that the last message ever had on this page. */
    texts?: string[];
  }
}

export function Conversation(shown: Shown): JSX.Element {
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
        {shown.messages.map(({ key, role, text: said }, place) => (
          <li key={key}>
            <b>{role}</b> <span>{said}</span>
            <button onClick={() => shown.edit(place, text)}>Edit</button>
            {shown.again && <button onClick={() => shown.again?.(place)}>Again</button>}
            <Branches of={shown.branches?.(place)} />
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

function Branches({ of }: { of: ReturnType<NonNullable<Shown["branches"]>> }): JSX.Element | null {
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

/** In strict mode, which runs every effect twice, as in development. */
export function show(page: JSX.Element): void {
  createRoot(document.body.appendChild(document.createElement("div"))).render(<StrictMode>{page}</StrictMode>);
}
