"use client";

import { Suspense } from "react";
import { ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Notice } from "../_ui/notice.tsx";
import { useChatContext } from "./chat-context.ts";

const ExampleRun = lazyPart(() => import("./example-run.tsx"));

/** Says why a graph cannot be used in a chat, and what to do with it instead. */
export default function DataGraph({ url, keyed }: { url: string; keyed: boolean }) {
  const { deployment, assistant } = useChatContext();
  return assistant.error ? (
    <Notice tone="bad" title="This graph did not load">
      <pre className="font-mono text-code break-words whitespace-pre-wrap text-ink">{assistant.error}</pre>
    </Notice>
  ) : (
    <>
      <Notice
        tone="neutral"
        title="This graph takes data, not messages"
        action={
          <ButtonLink
            variant="primary"
            href={`${deploymentPath(deployment)}/studio/${encodeURIComponent(assistant.graph)}`}
          >
            Open in Studio
          </ButtonLink>
        }
      >
        Its input has no key <code className="font-mono text-code">messages</code>, so it cannot be used in a chat. The
        Studio has a form for its input. Over the API, it runs like this:
      </Notice>
      <Suspense>
        <ExampleRun url={url} keyed={keyed} />
      </Suspense>
    </>
  );
}
