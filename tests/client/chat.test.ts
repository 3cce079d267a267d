import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Chat, createChat } from "../../lib/client/chat.ts";
import { newId } from "../../lib/client/new-id.ts";
import { threadApi } from "../../lib/client/threads.ts";
import { checkpointIdOf } from "../../lib/rules/threads/read-state.ts";
import { partsOf } from "../../lib/rules/threads/transcript.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";
import { stubBrowser } from "./stub-server.ts";

const server = useServer({ own: true, app: join(import.meta.dirname, "apps/chat") });
beforeAll(() => {
  stubBrowser();
});

interface Options {
  assistant?: string;
  thread?: string;
}

/** Opens a conversation like a page does, with a new thread or an existing one. */
function chatWith({ assistant = "echo", thread }: Options = {}): { chat: Chat; thread: string } {
  const id = thread ?? newId();
  return { chat: createChat({ base: server.url, thread: id, isNew: thread === undefined, assistant }), thread: id };
}

/** Opens the conversation again, like another page or a reload does. */
async function reopen(thread: string, assistant?: string): Promise<Chat> {
  const { chat } = chatWith({ thread, assistant });
  await chat.open();
  return chat;
}

const texts = (chat: Chat) =>
  chat.state().exchanges.map(({ turn }) => [
    turn.question,
    partsOf(turn, false)
      .map((part) => (part.kind === "text" ? part.text : part.kind === "tool" ? part.name : ""))
      .join(""),
  ]);

/** The answer of the graph `slow`. */
const COUNTED = Array.from({ length: 60 }, (_, index) => `${index} `).join("");

const lastReply = (chat: Chat): string => texts(chat).at(-1)?.[1] ?? "";

async function until(chat: Chat, condition: () => boolean): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const stop = chat.subscribe(() => {
      if (!condition()) return;
      stop();
      resolve();
    });
  });
}

describe("a conversation on a thread", () => {
  test("is made with its first question, named after it, and remembers", async () => {
    const { chat, thread } = chatWith();
    const first = chat.send("one\nand more");
    void chat.send("lost while the first runs");
    await first;
    await chat.send("two");
    const expected = [
      ["one\nand more", "1: one\nand more"],
      ["two", "2: two"],
    ];
    expect(texts(chat)).toEqual(expected);
    expect(texts(await reopen(thread))).toEqual(expected);
    const { threads } = await threadApi(server.url).search(1000, 0);
    expect(threads.find((one) => one.thread_id === thread)).toMatchObject({
      metadata: { title: "one and more", graph_id: "echo" },
      status: "idle",
    });
  });

  test("a question that is edited forks the thread before it", async () => {
    const { chat, thread } = chatWith();
    for (const question of ["one", "two", "three"]) await chat.send(question);
    const [, second] = chat.state().exchanges;
    await chat.askAgain(second?.turn.id ?? "", "other");
    const expected = [
      ["one", "1: one"],
      ["other", "2: other"],
    ];
    expect(texts(chat)).toEqual(expected);
    expect(texts(await reopen(thread))).toEqual(expected);
    const [first] = chat.state().exchanges;
    await chat.askAgain(first?.turn.id ?? "");
    expect(texts(await reopen(thread))).toEqual([["one", "1: one"]]);
  });

  test("taken up in mid-answer it goes on with the same answer, no token lost or doubled", async () => {
    const { chat, thread } = chatWith({ assistant: "slow" });
    void chat.send("count");
    await until(chat, () => lastReply(chat).includes("3 "));
    chat.leave();
    const { chat: again } = chatWith({ thread, assistant: "slow" });
    const lengths: number[] = [];
    again.subscribe(() => lengths.push(lastReply(again).length));
    await again.open();
    expect(lastReply(again)).toBe(COUNTED);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(again.state()).toMatchObject({ running: false, exchanges: [{ end: { how: "ended" } }] });
    expect(texts(await reopen(thread, "slow"))).toEqual(texts(again));
  });

  test("the server restarted in mid-answer streams the same answer to its end, no token doubled", async () => {
    const app = join(import.meta.dirname, "apps/chat");
    const first = await startServer({ app });
    const thread = newId();
    const chat = createChat({ base: first.url, thread, isNew: true, assistant: "slow" });
    const sending = chat.send("count");
    await until(chat, () => lastReply(chat).includes("3 "));
    await first.crash();
    await until(chat, () => chat.state().interruption !== undefined);
    expect(lastReply(chat)).toContain("3 ");
    const second = await startServer({ app, home: first.home, env: { PORT: new URL(first.url).port } });
    try {
      await sending;
      expect(lastReply(chat)).toBe(COUNTED);
      expect(chat.state()).toMatchObject({
        running: false,
        interruption: undefined,
        exchanges: [{ end: { how: "ended" } }],
      });
    } finally {
      await second.stop();
    }
  });

  test("stop ends the run and keeps the text so far, also when it is opened again", async () => {
    const { chat, thread } = chatWith({ assistant: "slow" });
    const sending = chat.send("count");
    await until(chat, () => lastReply(chat).includes("3 "));
    chat.stop();
    await sending;
    expect(chat.state()).toMatchObject({ running: false, exchanges: [{ end: { how: "stopped" } }] });
    const again = await reopen(thread, "slow");
    expect(again.state()).toMatchObject({ running: false, exchanges: [{ end: { how: "stopped" } }] });
    expect(texts(again)).toEqual(texts(chat));
    await chat.send("hello again");
    expect(texts(chat).length).toBe(2);
  });

  test("what a run waits for is answered, also by a page that came later", async () => {
    const { chat, thread } = chatWith({ assistant: "asks" });
    await chat.send("go");
    expect(chat.state().exchanges[0]?.turn.interrupts).toMatchObject([{ value: "How old?" }]);
    const again = await reopen(thread, "asks");
    const [interrupt] = again.state().exchanges[0]?.turn.interrupts ?? [];
    expect(interrupt?.value).toBe("How old?");
    await again.answer(interrupt?.id ?? "", "42");
    expect(texts(again)).toEqual([["go", "You said 42"]]);
    expect(again.state().exchanges[0]?.turn.interrupts).toEqual([]);
    // The first page knows nothing of that yet.
    expect(await chat.answer(interrupt?.id ?? "", "43")).toBe(false);
    expect(texts(chat)).toEqual([["go", "You said 42"]]);
    expect(chat.state().passed).toBe("late");
  });

  test("a late answer is none to the question that the thread asks by now", async () => {
    const { chat, thread } = chatWith({ assistant: "asks" });
    await chat.send("go");
    const [asked] = chat.state().exchanges[0]?.turn.interrupts ?? [];
    const other = await reopen(thread, "asks");
    await other.answer(asked?.id ?? "", "42");
    await other.send("again");
    expect(await chat.answer(asked?.id ?? "", "43")).toBe(false);
    expect(chat.state()).toMatchObject({ passed: "late", running: false });
    expect(texts(chat)).toEqual(texts(other));
    const [next] = chat.state().exchanges[1]?.turn.interrupts ?? [];
    expect(await chat.answer(next?.id ?? "", "44")).toBe(true);
    expect(chat.state().passed).toBeUndefined();
    expect(texts(chat)).toEqual([
      ["go", "You said 42"],
      ["again", "You said 44"],
    ]);
  });

  test("what another page does is shown, and that it answered what was open here", async () => {
    const { chat, thread } = chatWith({ assistant: "asks" });
    await chat.send("go");
    await chat.lookAgain();
    expect(chat.state().passed).toBeUndefined();
    const other = await reopen(thread, "asks");
    await other.answer(other.state().exchanges[0]?.turn.interrupts[0]?.id ?? "", "42");
    await chat.lookAgain();
    await until(chat, () => lastReply(chat) === "You said 42");
    expect(chat.state()).toMatchObject({ passed: "answered", running: false });
    await other.send("again");
    await chat.lookAgain();
    await until(chat, () => chat.state().exchanges.length === 2);
    expect(chat.state().exchanges[1]?.turn.interrupts).toHaveLength(1);
    await other.send("and again");
    await chat.lookAgain();
    await until(chat, () => chat.state().exchanges.length === 3);
    expect(chat.state().passed).toBe("replaced");
  });

  test("the run of another page is followed while it goes on", async () => {
    const { chat, thread } = chatWith({ assistant: "slow" });
    await chat.send("one");
    const other = await reopen(thread, "slow");
    const sent = other.send("two");
    await until(other, () => lastReply(other) !== "");
    await chat.lookAgain();
    await until(chat, () => chat.state().running);
    // It changes again while the run is followed.
    void chat.lookAgain();
    await sent;
    await until(chat, () => !chat.state().running);
    expect(texts(chat)).toEqual(texts(other));
  });

  test("an older branch and a question that was not sent stay when another page does something", async () => {
    const { chat, thread } = chatWith();
    await chat.send("one");
    const other = await reopen(thread);
    const [first] = await threadApi(server.url).history(thread, { limit: 1, select: ["checkpoint"] });
    const older = await reopen(thread);
    await older.open(checkpointIdOf(first?.checkpoint));
    await other.send("two");
    await older.lookAgain();
    expect(texts(older)).toEqual([["one", "1: one"]]);
    const [exchange] = chat.state().exchanges;
    if (!exchange) throw new Error("nothing was asked");
    chat.set({ exchanges: [{ ...exchange, end: { how: "lost", before: true } }] });
    await chat.lookAgain();
    expect(chat.state().exchanges).toHaveLength(1);
  });

  test("a run that failed reports its error again when it is opened again", async () => {
    const { chat, thread } = chatWith({ assistant: "fails" });
    await chat.send("go");
    const again = await reopen(thread, "fails");
    for (const one of [chat, again]) {
      expect(one.state().exchanges[0]?.turn.error).toEqual({ error: "RangeError", message: "out of range" });
    }
  });

  test("a thread that is not there is gone, not failed", async () => {
    const chat = await reopen(newId());
    expect(chat.state()).toMatchObject({ thread: "gone", exchanges: [] });
  });

  test("a server that is not there is reported with the question, which can be sent again", async () => {
    const chat = createChat({ base: "http://127.0.0.1:9", thread: newId(), isNew: true, assistant: "echo" });
    await chat.send("one");
    expect(chat.state().exchanges).toMatchObject([{ turn: { question: "one" }, end: { how: "lost", before: true } }]);
    await chat.askAgain(chat.state().exchanges[0]?.turn.id ?? "");
    expect(chat.state().exchanges).toMatchObject([{ turn: { question: "one" }, end: { how: "lost", before: true } }]);
  });
});
