import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Chat, createChat } from "../../lib/client/chat.ts";
import { newId } from "../../lib/client/new-id.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { useServer } from "../support/use-server.ts";
import { stubBrowser } from "./stub-server.ts";

const server = useServer({ app: join(import.meta.dirname, "apps/chat") });
beforeAll(stubBrowser);

describe("a chat whose request starts a run and gets no response", () => {
  test("shows the answer to a question that has arrived, which is asked once", async () => {
    const proxy = await startCuttingProxy(server.url, [Number.NEGATIVE_INFINITY]);
    const thread = newId();
    const chat = createChat({ base: proxy.url, thread, isNew: true, assistant: "echo" });
    await chat.send("one");
    expect(proxy.lost()).toBe(1);
    expect(chat.state().exchanges).toMatchObject([{ end: { how: "ended" } }]);
    expect(texts(chat)).toEqual([["one", "1: one"]]);
    expect(texts(await opened(thread))).toEqual([["one", "1: one"]]);
    await proxy.close();
  });

  test("shows the answer to a changed question, which is asked in a fork", async () => {
    const thread = newId();
    const first = createChat({ base: server.url, thread, isNew: true, assistant: "echo" });
    await first.send("one");
    await first.send("two");
    const proxy = await startCuttingProxy(server.url, [Number.NEGATIVE_INFINITY]);
    const chat = createChat({ base: proxy.url, thread, isNew: false, assistant: "echo" });
    await chat.open();
    await chat.askAgain(chat.state().exchanges[1]?.turn.id ?? "", { text: "three", attachments: [] });
    expect(proxy.lost()).toBe(1);
    expect(chat.state().exchanges.at(-1)).toMatchObject({ end: { how: "ended" } });
    expect(texts(chat)).toEqual([
      ["one", "1: one"],
      ["three", "2: three"],
    ]);
    await proxy.close();
  });

  test("goes on after an answer that has arrived", async () => {
    const thread = newId();
    const first = createChat({ base: server.url, thread, isNew: true, assistant: "asks" });
    await first.send("hello");
    const proxy = await startCuttingProxy(server.url, [Number.NEGATIVE_INFINITY]);
    const chat = createChat({ base: proxy.url, thread, isNew: false, assistant: "asks" });
    await chat.open();
    expect(await chat.answer(chat.state().exchanges[0]?.turn.interrupts[0]?.id ?? "", "42")).toBe(true);
    expect(proxy.lost()).toBe(1);
    expect(chat.state().exchanges).toMatchObject([{ turn: { interrupts: [] }, end: { how: "ended" } }]);
    await proxy.close();
  });

  test("follows the run of a question that the browser has sent twice", async () => {
    const proxy = await startMeddlingProxy(server.url);
    const thread = newId();
    const chat = createChat({ base: proxy.url, thread, isNew: true, assistant: "slow" });
    proxy.next = "send twice";
    await chat.send("one");
    expect(proxy.next).toBeUndefined();
    expect(chat.state().exchanges).toMatchObject([{ end: { how: "ended" } }]);
    expect(texts(chat)).toEqual(texts(await opened(thread)));
    proxy.close();
  });

  test("takes no other answer to an interrupt for its own", async () => {
    const thread = newId();
    const chat = createChat({ base: server.url, thread, isNew: true, assistant: "asks" });
    await chat.send("hello");
    const interrupt = chat.state().exchanges[0]?.turn.interrupts[0]?.id ?? "";
    const proxy = await startMeddlingProxy(server.url);
    const late = createChat({ base: proxy.url, thread, isNew: false, assistant: "asks" });
    await late.open();
    proxy.next = "wait";
    const answering = late.answer(interrupt, "43");
    await expect.poll(() => proxy.next).toBeUndefined();
    expect(await chat.answer(interrupt, "42")).toBe(true);
    proxy.goOn();
    expect(await answering).toBe(false);
    expect(late.state()).toMatchObject({ passed: "late" });
    expect(texts(late)).toEqual([["hello", "You said 42"]]);
    proxy.close();
  });

  test("keeps a question that has not arrived, and does not take another client's run for its own", async () => {
    const proxy = await startMeddlingProxy(server.url);
    const thread = newId();
    const chat = createChat({ base: proxy.url, thread, isNew: true, assistant: "echo" });
    await chat.send("one");
    await (await opened(thread)).send("two");
    proxy.next = "drop";
    await chat.send("three");
    expect(proxy.next).toBeUndefined();
    expect(chat.state().exchanges.at(-1)).toMatchObject({ turn: { question: "three" }, end: { how: "lost" } });
    await chat.askAgain(chat.state().exchanges.at(-1)?.turn.id ?? "");
    expect(texts(await opened(thread))).toEqual([
      ["one", "1: one"],
      ["two", "2: two"],
      ["three", "3: three"],
    ]);
    proxy.close();
  });
});

async function opened(thread: string): Promise<Chat> {
  const chat = createChat({ base: server.url, thread, isNew: false, assistant: "echo" });
  await chat.open();
  return chat;
}

const texts = (chat: Chat): string[][] =>
  chat.state().exchanges.map(({ turn }) => [turn.question, ...turn.messages.map((one) => one.text)]);

/**
 * Passes on everything but the next request that starts a run, with which it does something else: it breaks the
 * connection, or sends the request twice and returns the second response, as a browser does whose connection breaks, or
 * sends it when it is told to go on.
 */
async function startMeddlingProxy(target: string) {
  const open = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const connectTo = (): Socket => {
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    open.add(socket);
    return socket;
  };
  const proxy = createServer((client) => {
    const upstream = connectTo();
    open.add(client.on("error", () => undefined));
    upstream.pipe(client);
    client.once("close", () => upstream.destroy());
    client.on("data", (piece) => {
      const does = /^POST \S+\/runs\/stream /.test(piece.toString("latin1")) ? state.next : undefined;
      if (does === undefined) return void upstream.write(piece);
      state.next = undefined;
      if (does === "drop") client.resetAndDestroy();
      else if (does === "wait") void goesOn.then(() => upstream.write(piece));
      else
        connectTo()
          .once("data", () => upstream.write(piece))
          .write(piece);
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const state = {
    next: undefined as "drop" | "send twice" | "wait" | undefined,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    goOn,
    close: () => {
      for (const socket of open) socket.destroy();
      proxy.close();
    },
  };
  return state;
}
