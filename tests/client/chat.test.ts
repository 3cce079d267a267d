import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Chat, createChat, type Keep } from "../../lib/client/chat.ts";
import { isObject } from "../../lib/protocol/json.ts";
import { partsOf } from "../../lib/rules/transcript.ts";
import { type Asked, openStream, pretendBrowser, type StandIn, standIn, tell } from "./stand-in.ts";

let server: StandIn | undefined;

beforeAll(pretendBrowser);
afterEach(() => server?.stop());

function memory(): Keep {
  let text: string | null = null;
  return { read: () => text, write: (next) => (text = next) };
}

function sentMessages({ body }: Asked): Record<string, unknown>[] {
  const input = isObject(body) && isObject(body.input) ? body.input.messages : undefined;
  return Array.isArray(input) ? input.filter(isObject) : [];
}

/** Answers every question with its own text in two chunks, then with the state. */
function echo(asked: Asked): void {
  const messages = sentMessages(asked);
  const question = String(messages.at(-1)?.content);
  const id = `ai-${messages.length}`;
  openStream(asked.response);
  tell(asked.response, 0, "metadata", { run_id: "r" });
  for (const [index, content] of ["You said ", question].entries()) {
    tell(asked.response, index + 1, "messages", [{ type: "ai", id, content }, {}]);
  }
  tell(asked.response, 3, "values", { messages: [...messages, { type: "ai", id, content: `You said ${question}` }] });
  asked.response.end();
}

async function chatWith(answer: (asked: Asked) => void, keep = memory()) {
  server = await standIn(answer);
  const { asked, base } = server;
  return { chat: createChat(base, "agent", keep), asked, base };
}

const texts = (chat: Chat) =>
  chat.state().exchanges.map(({ turn }) => [
    turn.question,
    partsOf(turn, false)
      .map((part) => (part.kind === "text" ? part.text : part.name))
      .join(""),
  ]);

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

describe("a conversation without a thread", () => {
  test("every run gets the whole history, and the next question waits for its answer", async () => {
    const { chat, asked } = await chatWith(echo);
    const first = chat.send("one");
    void chat.send("lost while the first runs");
    await first;
    await chat.send("two");
    expect(texts(chat)).toEqual([
      ["one", "You said one"],
      ["two", "You said two"],
    ]);
    expect(asked.map((one) => sentMessages(one).map((message) => message.content))).toEqual([
      ["one"],
      ["one", "You said one", "two"],
    ]);
  });

  test("asking again replaces the last question and its answer", async () => {
    const { chat, asked } = await chatWith(echo);
    await chat.send("one");
    await chat.send("two");
    await chat.askAgain("three");
    await chat.askAgain();
    expect(texts(chat).map(([question]) => question)).toEqual(["one", "three"]);
    expect(
      asked
        .slice(-1)
        .flatMap(sentMessages)
        .map((message) => message.content),
    ).toEqual(["one", "You said one", "three"]);
  });

  test("stop keeps what was said so far and frees the server", async () => {
    const { chat, asked } = await chatWith(({ response }) => {
      openStream(response);
      tell(response, 0, "messages", [{ type: "ai", id: "a", content: "Half an ans" }, {}]);
    });
    const sending = chat.send("long one");
    await until(chat, () => texts(chat)[0]?.[1] !== "");
    chat.stop();
    await sending;
    expect(texts(chat)).toEqual([["long one", "Half an ans"]]);
    expect(chat.state()).toMatchObject({ running: false, exchanges: [{ end: { how: "stopped" } }] });
    await asked[0]?.left;
  });

  test("a conversation that is cleared while it runs stays empty", async () => {
    const { chat } = await chatWith(({ response }) => {
      openStream(response);
      tell(response, 0, "messages", [{ type: "ai", id: "a", content: "Half" }, {}]);
    });
    const sending = chat.send("long one");
    await until(chat, () => texts(chat)[0]?.[1] !== "");
    chat.clear();
    await sending;
    expect(chat.state()).toEqual({ exchanges: [], running: false });
  });

  test("a page that comes back shows what it showed, and what ran then as stopped", async () => {
    const keep = memory();
    const { chat, base } = await chatWith((asked) => {
      if (sentMessages(asked).length === 1) echo(asked);
    }, keep);
    await chat.send("one");
    void chat.send("two");
    const again = createChat(base, "agent", keep);
    again.restore();
    expect(texts(again)).toEqual([
      ["one", "You said one"],
      ["two", ""],
    ]);
    expect(again.state()).toMatchObject({
      running: false,
      exchanges: [{ end: { how: "ended" } }, { end: { how: "stopped" } }],
    });
    chat.stop();
  });

  test("what was said so far is kept when a page is left, and a connection that breaks then is no failure", async () => {
    const keep = memory();
    const { chat, base, asked } = await chatWith(({ response }) => {
      openStream(response);
      tell(response, 0, "messages", [{ type: "ai", id: "a", content: "Half an ans" }, {}]);
    }, keep);
    const sending = chat.send("long one");
    await until(chat, () => texts(chat)[0]?.[1] !== "");
    asked[0]?.response.destroy();
    chat.save();
    const again = createChat(base, "agent", keep);
    again.restore();
    expect(texts(again)).toEqual([["long one", "Half an ans"]]);
    expect(again.state()).toMatchObject({ exchanges: [{ end: { how: "stopped" } }] });
    await sending;
    expect(chat.state()).toMatchObject({ exchanges: [{ end: { how: "lost" } }] });
  });

  test.each([null, "", "{", "7"])("what cannot be read (%j) is an empty conversation", async (text) => {
    const { chat } = await chatWith(echo, { read: () => text, write: () => {} });
    chat.restore();
    expect(chat.state()).toEqual({ exchanges: [], running: false });
  });
});
