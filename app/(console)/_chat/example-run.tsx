"use client";

import { apiBase } from "#lib/client/api-base.ts";
import { curlSnippet } from "#lib/client/quick-start.ts";
import { RunHere } from "../_deployments/run-here.tsx";
import { CodeBlock } from "../_ui/code.tsx";
import { useChatContext } from "./chat-context.ts";

/** An example of the call that runs this graph, which can be made here. */
export default function ExampleRun({ url, keyed }: { url: string; keyed: boolean }) {
  const { deployment, assistant } = useChatContext();
  const start = { url, assistant: assistant.id, input: assistant.example, question: "", keyed };
  return (
    <div className="mt-4">
      <CodeBlock code={curlSnippet(start)} title="Terminal" label="An example run with curl" />
      <RunHere base={apiBase(deployment)} assistant={assistant.id} input={assistant.example} />
    </div>
  );
}
