import type { TestServer } from "../support/server.ts";
import { cpuSeconds } from "./idle.ts";
import { median } from "./measure.ts";

const STREAMS = 40;
const SUBSCRIBERS = 500;

const call = (method: string, params: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});
const message = { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "go" }] };

/** Measures the processor time that the server uses for long streams of tasks, and for many subscribers of one task. */
export async function taskStreams(server: TestServer): Promise<void> {
  const stream = async (): Promise<number> => {
    const answer = await fetch(`${server.url}/a2a/speech`, call("message/stream", { message }));
    return (await answer.text()).split("\n\n").length;
  };
  for (let warm = 0; warm < STREAMS; warm++) await stream();
  const each: number[] = [];
  let events = 0;
  for (let round = 0; round < 5; round++) {
    const before = cpuSeconds(server.pid);
    for (let n = 0; n < STREAMS; n++) events = await stream();
    each.push(((cpuSeconds(server.pid) - before) * 1000) / STREAMS);
  }
  console.log(
    `message/stream of 2,000 tokens: ${median(each).toFixed(1)} ms of the server's processor time, ${events} events`,
  );

  const alone = await listen(server, 1);
  const many = await listen(server, SUBSCRIBERS);
  console.log(
    `${SUBSCRIBERS} subscribers of one task of 2,000 tokens: ${many.toFixed(0)} ms of the server's processor time,` +
      ` with one ${alone.toFixed(0)} ms: ${((many - alone) / SUBSCRIBERS).toFixed(2)} ms for each additional one`,
  );
}

/** Resolves with the server's processor time in ms, from the first subscriber's request to the last byte of the last. */
async function listen(server: TestServer, subscribers: number): Promise<number> {
  const url = `${server.url}/a2a/slow-speech`;
  const sent = await fetch(url, call("message/send", { message, configuration: { blocking: false } }));
  const { result } = (await sent.json()) as { result: { id: string } };
  const before = cpuSeconds(server.pid);
  const subscribe = async (): Promise<void> => {
    const answer = await fetch(url, call("tasks/resubscribe", { id: result.id }));
    const text = await answer.text();
    if (!text.includes('"final":true')) throw new Error("a subscriber did not receive the end");
  };
  await Promise.all(Array.from({ length: subscribers }, subscribe));
  return (cpuSeconds(server.pid) - before) * 1000;
}
