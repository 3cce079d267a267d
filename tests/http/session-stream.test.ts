import { expect, test } from "vitest";
import type { Sessions } from "../../lib/engine/sessions.ts";
import { withoutBody } from "../../lib/http/call.ts";
import { endingWithSession } from "../../lib/http/session-stream.ts";

function listened() {
  const listeners = new Set<() => void>();
  const onEnd = (_: string, listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { listeners, sessions: { onEnd } as unknown as Sessions };
}

const caller = { holder: "operator", session: "s" } as const;

test("a stream that breaks is not listened for any more, and its reader is told", async () => {
  const { listeners, sessions } = listened();
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const answer = endingWithSession(new Response(broken), sessions, caller);
  expect(listeners.size).toBe(1);
  await expect(answer.text()).rejects.toThrow("gone");
  expect(listeners.size).toBe(0);
});

test("every answer ends with the session it was asked for with", async () => {
  const { listeners, sessions } = listened();
  let cancelled = false;
  const endless = new ReadableStream({ cancel: () => void (cancelled = true) });
  const answer = endingWithSession(new Response(endless), sessions, caller);
  const text = answer.text();
  for (const end of listeners) end();
  expect(await text).toBe("");
  expect(cancelled).toBe(true);
});

test("the body of an answer to HEAD is let go of", async () => {
  let cancelled = false;
  const body = new ReadableStream({ cancel: () => void (cancelled = true) });
  const answer = await withoutBody(new Request("http://localhost/", { method: "HEAD" }), new Response(body));
  expect([answer.body, cancelled]).toEqual([null, true]);
  const kept = new Response("text");
  expect(await withoutBody(new Request("http://localhost/"), kept)).toBe(kept);
});
