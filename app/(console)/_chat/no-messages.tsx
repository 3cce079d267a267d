"use client";

import { apiBase } from "#lib/client/api-base.ts";
import { curlSnippet } from "#lib/client/quick-start.ts";
import { RunHere } from "../_deployments/run-here.tsx";
import { CodeBlock } from "../_ui/code.tsx";
import { Notice } from "../_ui/notice.tsx";
import { ChatBar } from "./chat-bar.tsx";
import { useChatContext } from "./chat-context.ts";

/** Replaces the conversation for a graph that takes no messages, and offers to run an example. */
export function NoMessages({ url, keyed }: { url: string; keyed: boolean }) {
  const { deployment, assistant } = useChatContext();
  const start = { url, assistant: assistant.id, input: assistant.example, question: "", keyed };
  return (
    <>
      <ChatBar />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-186 px-4 py-6 outline-none">
        <h1 className="mb-4 text-title font-semibold">{assistant.name}</h1>
        {assistant.error ? (
          <Notice tone="bad" title="This graph did not load">
            <pre className="font-mono text-code break-words whitespace-pre-wrap text-ink">{assistant.error}</pre>
          </Notice>
        ) : (
          <>
            <Notice tone="neutral" title="This graph takes data, not messages">
              Its input has no key <code className="font-mono text-code">messages</code>, so it cannot be used in a
              chat. Run it over the API, for example:
            </Notice>
            <div className="mt-4">
              <CodeBlock code={curlSnippet(start)} title="Terminal" label="An example run with curl" />
              <RunHere base={apiBase(deployment)} assistant={assistant.id} input={assistant.example} />
            </div>
          </>
        )}
      </main>
    </>
  );
}
