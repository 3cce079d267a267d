"use client";

import { useSearchParams } from "next/navigation";
import { a2aSnippet, curlSnippet, javascriptSnippet, pythonSnippet, type QuickStart } from "#lib/client/quick-start.ts";
import { Tabs } from "../_ui/tabs.tsx";
import { CodeBlock } from "../_ui/code.tsx";
import { replaceQuery } from "../_ui/replace-query.ts";
import { RunHere } from "./run-here.tsx";

const CLIENTS = [
  { value: "curl", title: "curl", file: "Terminal", snippet: curlSnippet },
  { value: "javascript", title: "JavaScript", file: "run.mjs", snippet: javascriptSnippet },
  { value: "python", title: "Python", file: "run.py", snippet: pythonSnippet },
  { value: "a2a", title: "A2A", file: "Terminal", snippet: a2aSnippet },
] as const;

/** `base`: the path of the deployment's API on this page's origin. `noA2a`: the reason why A2A is disabled. */
export function QuickStartCard({ start, base, noA2a }: { start: QuickStart; base: string; noA2a?: string }) {
  const requested = useSearchParams().get("start");
  const chosen = CLIENTS.find(({ value }) => value === requested) ?? CLIENTS[0];
  const { value, title, file, snippet } = chosen;
  return (
    <Tabs
      label="Clients"
      tabs={CLIENTS}
      value={value}
      onValue={(client) => replaceQuery({ start: client })}
      card={{
        title: "Quick start",
        below: value === "curl" ? <RunHere base={base} assistant={start.assistant} input={start.input} /> : null,
      }}
    >
      {value === "a2a" && noA2a ? (
        <p className="rounded-control bg-well p-3.5 text-ink-2">{noA2a}</p>
      ) : (
        <CodeBlock code={snippet(start)} title={file} label={`Quick start with ${title}`} />
      )}
    </Tabs>
  );
}
