"use client";

import { Tabs } from "@base-ui/react/tabs";
import { useSearchParams } from "next/navigation";
import { a2aSnippet, curlSnippet, javascriptSnippet, pythonSnippet, type QuickStart } from "#lib/client/quick-start.ts";
import { Card } from "../_ui/card.tsx";
import { CodeBlock } from "../_ui/code.tsx";
import { replaceQuery } from "../_ui/replace-query.ts";
import { RunHere } from "./run-here.tsx";

const CLIENTS = [
  { id: "curl", title: "curl", file: "Terminal", snippet: curlSnippet },
  { id: "javascript", title: "JavaScript", file: "run.mjs", snippet: javascriptSnippet },
  { id: "python", title: "Python", file: "run.py", snippet: pythonSnippet },
  { id: "a2a", title: "A2A", file: "Terminal", snippet: a2aSnippet },
];

/** `base`: the path of the deployment's API on this page's origin. `noA2a`: the reason why A2A is disabled. */
export function QuickStartCard({ start, base, noA2a }: { start: QuickStart; base: string; noA2a?: string }) {
  const requested = useSearchParams().get("start");
  const chosen = CLIENTS.find(({ id }) => id === requested)?.id ?? "curl";
  const choose = (id: unknown): void => replaceQuery({ start: String(id) });
  return (
    <Tabs.Root value={chosen} onValueChange={choose} className="flex min-w-0 flex-col">
      <Card
        title="Quick start"
        className="flex-1"
        aside={
          <Tabs.List className="flex gap-1">
            {CLIENTS.map(({ id, title }) => (
              <Tabs.Tab
                key={id}
                value={id}
                className="inline-flex h-6 items-center rounded-full px-2.5 text-small font-medium text-ink-2 transition-colors hover:bg-well hover:text-ink data-active:bg-accent-soft data-active:text-accent pointer-coarse:h-9"
              >
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        }
      >
        <div className="px-4 pt-1 pb-4">
          {CLIENTS.map(({ id, title, file, snippet }) => (
            <Tabs.Panel key={id} value={id} className="rounded-control">
              {id === "a2a" && noA2a ? (
                <p className="rounded-control bg-well p-3.5 text-ink-2">{noA2a}</p>
              ) : (
                <CodeBlock code={snippet(start)} title={file} label={`Quick start with ${title}`} />
              )}
            </Tabs.Panel>
          ))}
          {chosen === "curl" ? <RunHere base={base} assistant={start.assistant} input={start.input} /> : null}
        </div>
      </Card>
    </Tabs.Root>
  );
}
