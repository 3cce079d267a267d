import { Suspense } from "react";
import { Check, ChevronDown, CircleSlash, Loader, X } from "lucide-react";
import { duration } from "#lib/client/measures.ts";
import type { TurnPart } from "#lib/rules/threads/transcript.ts";
import { parseJson } from "#lib/protocol/json.ts";
import { lazyPart } from "../_ui/lazy-part.ts";

const BlockView = lazyPart(() => import("./block-view.tsx"));

type ToolPart = Extract<TurnPart, { kind: "tool" }>;

const STATES: Record<ToolPart["state"], { word: string; icon: React.ReactNode }> = {
  running: { word: "running", icon: <Loader className="text-running motion-safe:animate-breathe" /> },
  ok: { word: "done", icon: <Check className="text-ok" /> },
  failed: { word: "failed", icon: <X className="text-bad" /> },
  stopped: { word: "stopped", icon: <CircleSlash className="text-ink-3" /> },
};

/** A shorter time between two events reflects their delivery rather than the duration of the tool call. */
const SHORTEST_SHOWN_MS = 10;

/** Shows a tool call: its name and arguments in one line, and when opened all arguments and the result. */
export function ToolCard({ part }: { part: ToolPart }) {
  const { word, icon } = STATES[part.state];
  return (
    <details className="group rounded-card border border-line bg-surface" aria-label={`Tool ${part.name}`}>
      <summary className="flex h-9.5 list-none items-center gap-2.5 rounded-card px-3 [&::-webkit-details-marker]:hidden [&>svg]:size-4 [&>svg]:shrink-0">
        {icon}
        <span className="shrink-0 font-mono text-code">{part.name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-code text-ink-3">{preview(part.args)}</span>
        <span className={`shrink-0 text-small ${part.state === "failed" ? "text-bad" : "text-ink-2"}`}>
          {part.state === "ok" && part.ms !== undefined && part.ms >= SHORTEST_SHOWN_MS ? (
            <>
              <span className="sr-only">done in </span>
              {duration(part.ms)}
            </>
          ) : (
            word
          )}
        </span>
        <ChevronDown className="text-ink-3 transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
        <Side title="Arguments" text={pretty(part.args)} />
        {part.result === undefined || (part.result === "" && part.blocks) ? null : (
          <Side title="Result" text={pretty(part.result)} />
        )}
        {part.blocks?.map((block, place) => (
          // The blocks of a result never change their order.
          // oxlint-disable-next-line react/no-array-index-key
          <Suspense key={place}>
            <BlockView block={block} />
          </Suspense>
        ))}
      </div>
    </details>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <div className="mb-1 text-small text-ink-2">{title}</div>
      <pre className="max-h-64 overflow-auto font-mono text-code break-words whitespace-pre-wrap">
        {text || "empty"}
      </pre>
    </div>
  );
}

/** Returns the only argument as quoted text if it is a string, else the JSON. */
function preview(args: string): string {
  const parsed = parseJson(args);
  if (typeof parsed !== "object" || parsed === null) return args;
  const values = Object.values(parsed);
  return values.length === 1 && typeof values[0] === "string" ? `“${values[0]}”` : args;
}

function pretty(text: string): string {
  const parsed = parseJson(text);
  return typeof parsed === "object" && parsed !== null ? JSON.stringify(parsed, null, 2) : text;
}
