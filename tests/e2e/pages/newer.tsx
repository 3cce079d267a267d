/**
 * A page over the thread streaming protocol. It uses a `StreamController`, on which `useStream` of the newer packages
 * (`@langchain/react` and its siblings) is based, and binds it to React as they do.
 */
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";
import { useEffect, useState, useSyncExternalStore, type JSX } from "react";
import { api, query, assistant, Conversation, saveThreadInUrl, show } from "./conversation.tsx";

const client = new Client<Record<string, unknown>>({ apiUrl: api, apiKey: null });

function open(): StreamController {
  return new StreamController({
    client,
    assistantId: assistant,
    threadId: query.get("thread"),
    onThreadId: saveThreadInUrl,
  });
}

/** Returns the checkpoint before a message. The client itself only knows the parent of the newest checkpoint. */
async function checkpointBefore(thread: string, id: string | undefined): Promise<string | undefined> {
  const states = await client.threads.getHistory<{ messages?: { id?: string }[] }>(thread, { limit: 100 });
  const first = states.findLast(({ values }) => values.messages?.some((message) => message.id === id));
  return first?.parent_checkpoint?.checkpoint_id ?? undefined;
}

function Newer(): JSX.Element {
  const [controller] = useState(open);
  const { rootStore } = controller;
  useEffect(() => controller.activate(), [controller]);
  useEffect(() => void controller.hydrate(query.get("thread")), [controller]);
  const shown = useSyncExternalStore(rootStore.subscribe, rootStore.getSnapshot);
  const say = (content: string, forkFrom?: string) =>
    void controller.submit({ messages: [{ type: "human", content }] }, { forkFrom });
  return (
    <Conversation
      messages={shown.messages.map((message, index) => ({
        key: message.id ?? String(index),
        role: message.getType(),
        text: message.text,
      }))}
      thread={shown.threadId ?? undefined}
      busy={shown.isLoading}
      error={shown.error}
      question={shown.interrupt?.value}
      say={say}
      // Without an id the client searches its stream for the interrupt, which may arrive there after the state.
      answer={(response) => void controller.respond(response, { interruptId: shown.interrupt?.id ?? "" })}
      stop={() => void controller.stop()}
      edit={(index, text) =>
        void checkpointBefore(shown.threadId ?? "", shown.messages[index]?.id).then((checkpoint) =>
          say(text, checkpoint),
        )
      }
    />
  );
}

show(<Newer />);
