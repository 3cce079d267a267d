/** Tests the controller behind `useStream` of the newer client packages, without a page, against a started server. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";
import { beforeAll, expect, test, vi } from "vitest";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const say = (content: string) => ({ messages: [{ type: "human", content }] });
interface Values {
  messages: { content: string }[];
}

/** Waits until the store shows what was received. */
const shows = (fact: () => void) => vi.waitFor(fact, { timeout: 30_000 });

function open(assistantId: string, threadId?: string) {
  const seen = { threadId, created: 0, completed: [] as string[] };
  const controller = new StreamController<Values>({
    client: client as never,
    assistantId,
    threadId,
    onThreadId: (id) => (seen.threadId = id),
    onCreated: () => seen.created++,
    onCompleted({ reason, runId }) {
      // The client reports an end once more, without a run, when a second of its streams brings the last event.
      if (runId !== undefined) seen.completed.push(reason);
    },
  });
  const shown = () => controller.rootStore.getSnapshot();
  return { controller, seen, shown, texts: () => shown().messages.map((message) => message.text) };
}

test("the turns of a conversation show their messages once, in order, and end", async () => {
  const { controller, seen, shown, texts } = open("chat");
  await controller.submit(say("one"));
  await controller.submit(say("two"));
  await shows(() => expect(texts()).toEqual(["one", "Hi!", "two", "Hi!"]));
  await shows(() => expect(shown()).toMatchObject({ isLoading: false, error: undefined, interrupts: [] }));
  await shows(() => expect(seen).toMatchObject({ created: 2, completed: ["success", "success"] }));
  await controller.dispose();
});

test("a thread that is opened again shows its messages, and continues", async () => {
  const first = open("chat");
  await first.controller.submit(say("one"));
  await first.controller.dispose();
  const again = open("chat", first.seen.threadId);
  await again.controller.hydrate(first.seen.threadId);
  await shows(() => expect(again.texts()).toEqual(["one", "Hi!"]));
  await again.controller.submit(say("two"));
  await shows(() => expect(again.texts()).toEqual(["one", "Hi!", "two", "Hi!"]));
  await again.controller.dispose();
});

test("an interrupt is shown, also to a later client, which can answer it", async () => {
  const first = open("ask");
  await first.controller.submit(say("go"));
  expect(first.shown().interrupts).toMatchObject([{ value: { q: "ok?" } }]);
  await shows(() => expect(first.seen.completed).toEqual(["interrupt"]));
  await first.controller.dispose();
  const later = open("ask", first.seen.threadId);
  await later.controller.hydrate(first.seen.threadId);
  expect(later.shown().interrupts).toMatchObject([{ value: { q: "ok?" } }]);
  await later.controller.respond("yes", { interruptId: later.shown().interrupts[0]?.id });
  await shows(() => expect(later.texts()).toEqual(["go", "yes"]));
  await shows(() => expect(later.shown()).toMatchObject({ isLoading: false, interrupts: [] }));
  await later.controller.dispose();
});

test("a failed run shows its error", async () => {
  const { controller, shown } = open("failing");
  await controller.submit(say("go"));
  expect(String(shown().error)).toContain("kaput");
  await shows(() => expect(shown().isLoading).toBe(false));
  await controller.dispose();
});

test("subgraphs are found", async () => {
  const { controller } = open("family");
  await controller.submit(say("hello"));
  expect([...controller.subgraphByNodeStore.getSnapshot().keys()]).toContain("child");
  await controller.dispose();
});
