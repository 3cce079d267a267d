/** A page with `useStream` of `@langchain/langgraph-sdk/react`, which uses the API of runs. */
import type { Message } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import type { JSX } from "react";
import { api, query, assistant, Conversation, saveThreadInUrl, show } from "./conversation.tsx";

interface State extends Record<string, unknown> {
  messages: Message[];
}

function Classic(): JSX.Element {
  const stream = useStream<State>({
    apiUrl: api,
    assistantId: assistant,
    threadId: query.get("thread"),
    onThreadId: saveThreadInUrl,
    reconnectOnMount: query.get("reconnect") !== "no",
    fetchStateHistory: true,
  });
  const human = (content: string) => ({ messages: [{ type: "human" as const, content }] });
  const parentOf = (index: number) => {
    const message = stream.messages[index];
    return message && stream.getMessagesMetadata(message, index)?.firstSeenState?.parent_checkpoint;
  };
  return (
    <Conversation
      messages={stream.messages.map((message, index) => ({
        key: message.id ?? String(index),
        role: message.type,
        text: typeof message.content === "string" ? message.content : JSON.stringify(message.content),
      }))}
      thread={query.get("thread") ?? undefined}
      busy={stream.isLoading}
      error={stream.error}
      question={stream.interrupt?.value}
      say={(text) => void stream.submit(human(text))}
      answer={(resume) => void stream.submit(undefined, { command: { resume } })}
      stop={() => void stream.stop()}
      edit={(index, text) => void stream.submit(human(text), { checkpoint: parentOf(index) })}
      again={(index) => void stream.submit(undefined, { checkpoint: parentOf(index) })}
      branches={(index) => {
        const message = stream.messages[index];
        const { branch, branchOptions } = (message && stream.getMessagesMetadata(message, index)) ?? {};
        return branch && branchOptions ? { here: branch, all: branchOptions, choose: stream.setBranch } : undefined;
      }}
    />
  );
}

show(<Classic />);
