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

  test("keeps a question that has not arrived, and does not take another client's run for its own", async () => {
    const proxy = await startDroppingProxy(server.url);
    const thread = newId();
    const chat = createChat({ base: proxy.url, thread, isNew: true, assistant: "echo" });
    await chat.send("one");
    await (await opened(thread)).send("two");
    proxy.drop = 1;
    await chat.send("three");
    expect(proxy.drop).toBe(0);
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

/** Passes on everything but the next `drop` requests that start a run: these connections break. */
async function startDroppingProxy(target: string) {
  const open = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined);
    }
    client.on("data", (piece) => {
      const isDropped = state.drop > 0 && /^POST \S+\/runs\/stream /.test(piece.toString("latin1"));
      if (!isDropped) return void upstream.write(piece);
      state.drop--;
      client.resetAndDestroy();
      upstream.destroy();
    });
    upstream.pipe(client);
    client.once("close", () => upstream.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const state = {
    drop: 0,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of open) socket.destroy();
      proxy.close();
    },
  };
  return state;
}
