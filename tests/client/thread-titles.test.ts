import { expect, test } from "vitest";
import { titleOf } from "../../lib/client/threads.ts";

const thread_id = "6fa9e58d-c0d0-4fa6-a83f-21a9307f5a83";
const message = { type: "human", content: [{ type: "text", text: "About  figs" }] };

test("a thread is called by its title, then by its first message", () => {
  const metadata = { title: "Figs", graph_id: "agent" };
  expect(titleOf({ thread_id, metadata, extracted: { first: message.content } })).toBe("Figs");
  expect(titleOf({ thread_id, metadata: {}, extracted: { first: message.content } })).toBe("About figs");
});

test("threads without a title and messages have different names", () => {
  const other = thread_id.replace(/3$/, "4");
  const metadata = { graph_id: "heavy" };
  expect(titleOf({ thread_id, metadata, extracted: { first: null } })).toBe("heavy 5a83");
  expect(titleOf({ thread_id: other, metadata, extracted: {} })).toBe("heavy 5a84");
  expect(titleOf({ thread_id, metadata: { title: " " }, extracted: {} })).toBe("Thread 5a83");
});
