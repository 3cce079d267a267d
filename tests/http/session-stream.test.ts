import { expect, test } from "vitest";
import type { Sessions } from "../../lib/engine/sessions.ts";
import { withoutBody } from "../../lib/http/call.ts";
import { endingWithSession } from "../../lib/http/session-stream.ts";

function sessionsWithListeners() {
  const listeners = new Set<() => void>();
  const onEnd = (_: string, listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { listeners, sessions: { onEnd } as unknown as Sessions };
}

const caller = { holder: "operator", session: "s" } as const;

test("a stream that fails removes its listener, and its reader receives the error", async () => {
  const { listeners, sessions } = sessionsWithListeners();
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const response = endingWithSession(new Response(broken), sessions, caller);
  expect(listeners.size).toBe(1);
  await expect(response.text()).rejects.toThrow("gone");
  expect(listeners.size).toBe(0);
});

test("every response ends with the session of its request", async () => {
  const { listeners, sessions } = sessionsWithListeners();
  let cancelled = false;
  const endless = new ReadableStream({ cancel: () => void (cancelled = true) });
  const response = endingWithSession(new Response(endless), sessions, caller);
  const text = response.text();
  for (const end of listeners) end();
  expect(await text).toBe("");
  expect(cancelled).toBe(true);
});

test("the body of a response to HEAD is cancelled", async () => {
  let cancelled = false;
  const body = new ReadableStream({ cancel: () => void (cancelled = true) });
  const response = await withoutBody(new Request("http://localhost/", { method: "HEAD" }), new Response(body));
  expect([response.body, cancelled]).toEqual([null, true]);
  const kept = new Response("text");
  expect(await withoutBody(new Request("http://localhost/"), kept)).toBe(kept);
});
