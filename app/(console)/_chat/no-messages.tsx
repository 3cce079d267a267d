"use client";

import { Suspense } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";
import { ChatBar } from "./chat-bar.tsx";
import { useChatContext } from "./chat-context.ts";

const DataGraph = lazyPart(() => import("./data-graph.tsx"));

/** Replaces the conversation for a graph that takes no messages. */
export function NoMessages(props: { url: string; keyed: boolean }) {
  const { assistant } = useChatContext();
  return (
    <>
      <ChatBar />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-186 px-4 py-6 outline-none">
        <h1 className="mb-4 text-title font-semibold">{assistant.name}</h1>
        <Suspense>
          <DataGraph {...props} />
        </Suspense>
      </main>
    </>
  );
}
