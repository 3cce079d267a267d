/** A page with `useStream` of `@langchain/langgraph-sdk/react`, which uses the API of runs. */
import type { Message } from "@langchain/langgraph-sdk";
import { useStream } from "@langchain/langgraph-sdk/react";
import type { JSX } from "react";
import { api, asked, assistant, Conversation, keepThread, show } from "./conversation.tsx";

interface State extends Record<string, unknown> {
  messages: Message[];
}

function Classic(): JSX.Element {
  const stream = useStream<State>({
    apiUrl: api,
    assistantId: assistant,
    threadId: asked.get("thread"),
    onThreadId: keepThread,
    reconnectOnMount: asked.get("reconnect") !== "no",
    fetchStateHistory: true,
  });
  const human = (content: string) => ({ messages: [{ type: "human" as const, content }] });
  const parentOf = (place: number) => {
    const message = stream.messages[place];
    return message && stream.getMessagesMetadata(message, place)?.firstSeenState?.parent_checkpoint;
  };
  return (
    <Conversation
      messages={stream.messages.map((message, place) => ({
        key: message.id ?? String(place),
        role: message.type,
        text: typeof message.content === "string" ? message.content : JSON.stringify(message.content),
      }))}
      thread={asked.get("thread") ?? undefined}
      busy={stream.isLoading}
      error={stream.error}
      question={stream.interrupt?.value}
      say={(text) => void stream.submit(human(text))}
      answer={(resume) => void stream.submit(undefined, { command: { resume } })}
      stop={() => void stream.stop()}
      edit={(place, text) => void stream.submit(human(text), { checkpoint: parentOf(place) })}
      again={(place) => void stream.submit(undefined, { checkpoint: parentOf(place) })}
      branches={(place) => {
        const message = stream.messages[place];
        const { branch, branchOptions } = (message && stream.getMessagesMetadata(message, place)) ?? {};
        return branch && branchOptions ? { here: branch, all: branchOptions, choose: stream.setBranch } : undefined;
      }}
    />
  );
}

show(<Classic />);
