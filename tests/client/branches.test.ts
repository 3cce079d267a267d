import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { createBranchReader } from "../../lib/client/branches.ts";
import { type Chat, createChat } from "../../lib/client/chat.ts";
import { exportChat } from "../../lib/client/export-chat.ts";
import { newId } from "../../lib/client/new-id.ts";
import { readAttachments } from "../../lib/client/read-attachments.ts";
import { originOf } from "../../lib/client/thread-history.ts";
import { attach, IMAGE_BYTES } from "../../lib/rules/threads/attachment-limits.ts";
import type { Question } from "../../lib/rules/threads/attachments.ts";
import { useServer } from "../support/use-server.ts";
import { stubBrowser } from "./stub-server.ts";

const server = useServer({ own: true, app: join(import.meta.dirname, "apps/chat") });
beforeAll(() => {
  stubBrowser();
});

function newChat(assistant = "echo", thread?: string): Chat {
  return createChat({ base: server.url, thread: thread ?? newId(), isNew: thread === undefined, assistant });
}

/** The signature of a PNG file. */
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const questions = (chat: Chat) => chat.state().exchanges.map(({ turn }) => turn.question);
const idOf = (chat: Chat, index: number): string => chat.state().exchanges[index]?.turn.id ?? "";

/** Reads the branches and returns the position of each fork, as the page shows it. */
async function positions(chat: Chat): Promise<string[]> {
  await createBranchReader(chat)(chat.state().checkpoint);
  return (chat.state().forks ?? []).map(({ turn, within, current, leaves }) => {
    const index = chat.state().exchanges.findIndex((one) => one.turn.id === turn);
    return `${within} ${index}: ${current + 1}/${leaves.length}`;
  });
}

const leafOf = (chat: Chat, fork: number, branch: number): string => chat.state().forks?.[fork]?.leaves[branch] ?? "";

describe("branches of a conversation", () => {
  test("a conversation without forks has none, a question asked three times has three", async () => {
    const chat = newChat();
    await chat.send("one");
    await chat.send("two");
    expect(await positions(chat)).toEqual([]);
    await chat.askAgain(idOf(chat, 1), "two, otherwise");
    await chat.askAgain(idOf(chat, 1));
    expect(await positions(chat)).toEqual(["question 1: 3/3"]);
    await chat.askAgain(idOf(chat, 0), "first");
    expect(await positions(chat)).toEqual(["question 0: 2/2"]);
  });

  test("an edited first question gives the thread its title, unless a person has renamed it", async () => {
    const client = new Client({ apiUrl: server.url });
    const thread = newId();
    const title = async (): Promise<unknown> => (await client.threads.get(thread)).metadata?.title;
    const chat = createChat({ base: server.url, thread, isNew: true, assistant: "echo" });
    await chat.send("one");
    await chat.send("two");
    await chat.askAgain(idOf(chat, 1), "two, otherwise");
    expect(await title()).toBe("one");
    await chat.askAgain(idOf(chat, 0), "first");
    expect(await title()).toBe("first");
    await client.threads.update(thread, { metadata: { title: "Mine" } });
    await chat.askAgain(idOf(chat, 0), "third");
    expect(await title()).toBe("Mine");
  });

  test("a branch is shown up to its newest message and continued there, also by a page that came later", async () => {
    const chat = newChat();
    for (const question of ["one", "two"]) await chat.send(question);
    await chat.askAgain(idOf(chat, 1), "two, otherwise");
    expect(await positions(chat)).toEqual(["question 1: 2/2"]);
    const first = leafOf(chat, 0, 0);
    await chat.open(first);
    expect(questions(chat)).toEqual(["one", "two"]);
    expect(await positions(chat)).toEqual(["question 1: 1/2"]);

    const later = newChat("echo", chat.thread);
    await later.open(first);
    await later.send("three");
    expect(later.state().checkpoint).toBeUndefined();
    expect(questions(later)).toEqual(["one", "two", "three"]);
    expect(
      later
        .state()
        .exchanges.at(-1)
        ?.turn.messages.map((one) => one.text),
    ).toEqual(["3: three"]);
    expect(await positions(later)).toEqual(["question 1: 1/2"]);

    // The branches have taken turns, so their checkpoints lie between each other.
    await later.open(leafOf(later, 0, 1));
    await later.send("otherwise, three");
    expect(questions(later)).toEqual(["one", "two, otherwise", "otherwise, three"]);
    await later.askAgain(idOf(later, 1), "two, for the third time");
    expect(questions(later)).toEqual(["one", "two, for the third time"]);
    expect(await positions(later)).toEqual(["question 1: 3/3"]);
  });

  test("a checkpoint that is not there shows the newest state", async () => {
    const chat = newChat();
    await chat.send("one");
    const later = newChat("echo", chat.thread);
    await later.open("1f1e9297-9c46-6100-8001-c628cefedee6");
    expect(later.state()).toMatchObject({ thread: "here", checkpoint: undefined });
    expect(questions(later)).toEqual(["one"]);
  });

  test("an interrupt of a branch is answered there", async () => {
    const chat = newChat("asks");
    await chat.send("go");
    await chat.askAgain(idOf(chat, 0), "go again");
    await positions(chat);
    await chat.open(leafOf(chat, 0, 0));
    const [interrupt] = chat.state().exchanges[0]?.turn.interrupts ?? [];
    expect(interrupt?.value).toBe("How old?");
    await chat.answer(interrupt?.id ?? "", "42");
    expect(questions(chat)).toEqual(["go"]);
    expect(chat.state().exchanges[0]?.turn.messages.map((one) => one.text)).toEqual(["You said 42"]);
  });

  test("a fork that another client made is found, and the client finds that of the page", async () => {
    const client = new Client({ apiUrl: server.url, apiKey: null });
    const chat = newChat();
    await chat.send("one");
    await chat.send("two");
    const origin = await originOf(chat.api, chat.thread, idOf(chat, 1));
    await client.runs.wait(chat.thread, "echo", {
      input: { messages: [{ type: "human", content: "of a client" }] },
      checkpoint: { checkpoint_id: origin?.before ?? "", checkpoint_ns: "", checkpoint_map: {} },
    });
    await chat.open();
    expect(questions(chat)).toEqual(["one", "of a client"]);
    expect(await positions(chat)).toEqual(["question 1: 2/2"]);
    const states = await client.threads.getHistory(chat.thread);
    const children = states.filter((state) => state.parent_checkpoint?.checkpoint_id === origin?.before);
    expect(children.length).toBe(2);
  });

  test("the message of a question is found at the first checkpoint that has it", async () => {
    const chat = newChat();
    for (const question of ["one", "two", "three"]) await chat.send(question);
    const origin = await originOf(chat.api, chat.thread, idOf(chat, 1));
    const has = async (checkpoint = "") =>
      JSON.stringify(await chat.api.state(chat.thread, checkpoint)).includes("two");
    expect([await has(origin?.before), await has(origin?.first)]).toEqual([false, true]);
    expect(await originOf(chat.api, chat.thread, "no such message")).toBeUndefined();
  });
});

describe("a question with files", () => {
  /** A picture of this size, for the server: only its first bytes are looked at. */
  function picture(bytes: number, name = "a.png"): File {
    const data = new Uint8Array(bytes);
    data.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return new File([data], name, { type: "image/png" });
  }

  async function asking(text: string, files: readonly File[]): Promise<Question> {
    const read = await readAttachments(files);
    expect(read.problems).toEqual([]);
    const attached = attach([], read.files);
    expect(attached.problems).toEqual([]);
    return { text, attachments: attached.attachments };
  }

  test("as large as the limits allow is taken, asked again, kept after a reload, and read by the official client", async () => {
    const question = await asking("look", [picture(IMAGE_BYTES), picture(3 * 1024 * 1024 - 1000, "b.png")]);
    const chat = newChat();
    await chat.send(question);
    expect(chat.state().exchanges).toMatchObject([{ end: { how: "ended" } }]);
    await chat.askAgain(idOf(chat, 0), { ...question, text: "look again" });
    expect(await positions(chat)).toEqual(["question 0: 2/2"]);
    const later = newChat("echo", chat.thread);
    await later.open();
    expect(later.state().exchanges[0]?.turn).toMatchObject({
      question: "look again",
      attachments: question.attachments,
    });
    const { values } = await new Client({ apiUrl: server.url, apiKey: null }).threads.getState<{
      messages: { content: unknown }[];
    }>(chat.thread);
    expect(values.messages[0]?.content).toEqual([
      { type: "text", text: "look again" },
      ...question.attachments.map((one) => one.block),
    ]);
  });

  test("without a word is named after its first file", async () => {
    const chat = newChat();
    await chat.send(await asking("", [new File(["one\ntwo"], "notes.txt", { type: "text/plain" })]));
    const { threads } = await chat.api.search(1000, 0);
    expect(threads.find((one) => one.thread_id === chat.thread)?.metadata.title).toBe("notes.txt");
  });

  test("files that are no images or text, or too large, are told by name", async () => {
    const odd = [
      new File([Uint8Array.from([0xff, 0xfe, 0, 1])], "a\u202ebin", { type: "text/plain" }),
      new File(["a\0b"], "nul.txt"),
      new File([Uint8Array.from(PNG), new Uint8Array(IMAGE_BYTES)], "large.png", { type: "image/png" }),
      new File(["é".repeat(IMAGE_BYTES)], "large.txt"),
      new File([new Uint8Array(IMAGE_BYTES + 1)], "large.bin"),
      new File(["<svg/>"], "drawing.svg", { type: "image/svg+xml" }),
      new File(["not an image"], "fake.png", { type: "image/png" }),
    ];
    const { files, problems } = await readAttachments(odd);
    expect(files.map(({ name, block }) => [name, block])).toEqual([
      ["drawing.svg", { type: "text", text: "Attached file drawing.svg:\n\n<svg/>" }],
      ["fake.png", { type: "text", text: "Attached file fake.png:\n\nnot an image" }],
    ]);
    expect(problems).toEqual([
      "a bin is neither an image (PNG, JPEG, GIF, WebP) nor a text file in UTF-8.",
      "nul.txt is neither an image (PNG, JPEG, GIF, WebP) nor a text file in UTF-8.",
      "large.png is larger than 3.5 MB, the most that models take of an image.",
      "large.txt is larger than 512 KB, the most for a text file.",
      "large.bin is neither an image (PNG, JPEG, GIF, WebP) nor a text file in UTF-8.",
    ]);
  });

  test("is exported by name as Markdown, and whole as JSON", async () => {
    const chat = newChat();
    await chat.send(await asking("look", [picture(100)]));
    const about = { title: "Pictures: one", assistant: "echo" };
    const markdown = await exportChat(chat, "md", about);
    expect(markdown.name).toBe("Pictures-one.md");
    expect(markdown.text).toContain("> look\n\n> **Attachment:** ` a.png `");
    expect(markdown.text).not.toContain("base64");
    const json: unknown = JSON.parse((await exportChat(chat, "json", about)).text);
    expect(json).toMatchObject({
      thread: { thread_id: chat.thread, metadata: { graph_id: "echo" } },
      state: { values: { messages: [{ type: "human" }, { type: "ai" }] }, checkpoint: { thread_id: chat.thread } },
    });
  });
});
