"use client";

import { Square } from "lucide-react";
import { useSyncExternalStore } from "react";
import { duration } from "#lib/client/measures.ts";
import type { VariantRun, VariantState } from "#lib/client/variant-run.ts";
import type { TurnMessage } from "#lib/rules/threads/transcript.ts";
import { JsonView } from "../_form/json-view.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { Pill, type Tone } from "../_ui/status.tsx";

const PHASES: Record<Exclude<VariantState["phase"], "none">, { tone: Tone; word: string }> = {
  running: { tone: "running", word: "Running" },
  done: { tone: "ok", word: "Done" },
  waiting: { tone: "waiting", word: "Waits for a person" },
  failed: { tone: "bad", word: "Failed" },
  stopped: { tone: "neutral", word: "Stopped" },
};

const ROLES: Readonly<Record<string, string>> = { ai: "AI", human: "Human", tool: "Tool", system: "System" };

/** Shows the answer of one of two assistants, and the state that its run leaves. */
export function VariantColumn({
  run,
  name,
  version,
  thread,
  base,
  graph,
}: {
  run: VariantRun;
  name: string;
  version: number | undefined;
  /** The thread of its run, if there was one. */
  thread: string | undefined;
  /** The path of the deployment's pages. */
  base: string;
  graph: string;
}) {
  const { phase, turn, values, took, first, failure } = useSyncExternalStore(run.subscribe, run.state, run.state);
  const messages = turn.messages.filter((one) => one.type !== "human");
  return (
    <section aria-label={`Run of ${name}`} className="flex min-w-0 flex-col gap-3 rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          {name} {version === undefined ? null : <span className="font-normal text-ink-2">v{version}</span>}
        </h3>
        {phase === "none" ? null : <Pill tone={PHASES[phase].tone}>{PHASES[phase].word}</Pill>}
        <span className="text-small text-ink-2">{timesText(took, first)}</span>
        {phase === "running" ? (
          <Button variant="quiet" className="ml-auto" onClick={() => run.stop()} aria-label={`Stop the run of ${name}`}>
            <Square /> Stop
          </Button>
        ) : null}
      </div>
      {phase === "none" ? <p className="text-ink-3">It has not run yet.</p> : null}
      {failure === undefined ? null : (
        <p role="alert" className="wrap-anywhere whitespace-pre-wrap text-bad">
          {failure}
        </p>
      )}
      {messages.length > 0 ? (
        <ol aria-label={`Answer of ${name}`} className="flex flex-col gap-3">
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      ) : null}
      {values === undefined ? null : (
        <div className="border-t border-line pt-3">
          <h4 className="mb-1.5 text-small text-ink-2">Final state</h4>
          <JsonView label={`Final state of ${name}`} value={values} />
        </div>
      )}
      {thread !== undefined && phase !== "none" && phase !== "running" ? (
        <div className="mt-auto flex flex-wrap gap-2 pt-1">
          <ButtonLink
            href={`${base}/studio/${encodeURIComponent(graph)}?thread=${thread}`}
            prefetch={false}
            aria-label={`Open in Studio: run of ${name}`}
          >
            Open in Studio
          </ButtonLink>
          <ButtonLink
            href={`${base}/chat?thread=${thread}`}
            prefetch={false}
            aria-label={`Open in Chat: run of ${name}`}
          >
            Open in Chat
          </ButtonLink>
        </div>
      ) : null}
    </section>
  );
}

function Message({ message: { type, name, text, calls } }: { message: TurnMessage }) {
  return (
    <li className="min-w-0">
      <div className="text-small text-ink-2">
        {ROLES[type] ?? type}
        {name === undefined ? "" : ` · ${name}`}
      </div>
      {text === "" ? null : <div className="wrap-anywhere whitespace-pre-wrap">{text}</div>}
      {calls.map((call) => (
        <div key={call.id} className="mt-1 rounded-control bg-well px-2.5 py-1.5 font-mono text-code wrap-anywhere">
          {call.name}({call.args})
        </div>
      ))}
    </li>
  );
}

function timesText(took: number | undefined, first: number | undefined): string {
  if (took === undefined) return "";
  return `${duration(took)}${first === undefined ? "" : `, first text after ${duration(first)}`}`;
}
