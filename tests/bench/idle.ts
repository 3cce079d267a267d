import { readFileSync } from "node:fs";
import { type ClientRequest, get, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { TestServer } from "../support/server.ts";
import { type Heap, inspectHeap } from "./heap.ts";
import { startBare } from "./servers.ts";

/** Returns the processor time of a process, in seconds (Linux). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function start(
  server: TestServer,
  graph: string,
  mode: string,
): Promise<{ location: string; end(): void; answer: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      assistant_id: graph,
      input: { messages: [] },
      stream_mode: mode,
      on_disconnect: "cancel",
    });
    const sent = request(`${server.url}/runs/stream`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    sent.once("response", (answer) => {
      const location = String(answer.headers["content-location"]);
      resolve({ location, answer, end: () => sent.destroy() });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Opens streams that do not end. Resolves with the memory that each takes in the server's process, in kB. */
async function openStreams(url: string, heap: Heap, count: number): Promise<{ kb: number; close(): void }> {
  const open = (): Promise<ClientRequest> =>
    new Promise((resolve, reject) => {
      const sent = get(url, { headers: { "last-event-id": "-1" } }, (answer) => {
        answer.once("data", () => resolve(sent));
        answer.on("error", () => undefined);
        answer.resume();
      });
      sent.once("error", reject);
    });
  // The first streams also load what all of them share, so they do not count.
  const streams = await Promise.all(Array.from({ length: 100 }, open));
  await pause(2_000);
  const before = await heap.live();
  for (let opened = 0; opened < count; opened += 100)
    streams.push(...(await Promise.all(Array.from({ length: 100 }, open))));
  await pause(2_000);
  return {
    kb: ((await heap.live()) - before) / count / 1024,
    close: () => streams.forEach((stream) => stream.destroy()),
  };
}

/** Measures the memory and processor time that open streams without events take, and their memory in a bare route. */
export async function idleStreams(server: TestServer, heap: Heap, count: number): Promise<void> {
  const bare = await startBare(["x"], { open: true });
  const bareHeap = await inspectHeap(bare);
  const limit = await openStreams(bare.url, bareHeap, count);
  limit.close();
  bareHeap.close();
  bare.stop();

  const run = await start(server, "wait", "updates");
  run.answer.resume();
  const streams = await openStreams(`${server.url}${run.location}/stream`, heap, count);
  // Garbage collection and compilation after the opening do not count.
  await pause(15_000);
  const busy = cpuSeconds(server.pid);
  await pause(10_000);
  const share = (100 * (cpuSeconds(server.pid) - busy)) / 10;
  console.log(
    `${count} idle streams: ${streams.kb.toFixed(1)} kB each (bare route: ${limit.kb.toFixed(1)}),` +
      ` ${share.toFixed(1)} % of a core with heartbeats`,
  );
  streams.close();
  run.end();
}

/** Measures how much the server's heap grows by a client that stops reading a stream of 64 MB, and by one that reads it. */
export async function stoppedReader(server: TestServer, heap: Heap): Promise<void> {
  const growth = async (reads: boolean): Promise<string> => {
    await pause(3_000);
    const before = await heap.live();
    const run = await start(server, "flood", "custom");
    if (reads) run.answer.resume();
    await pause(10_000);
    const grown = (await heap.live()) - before;
    run.end();
    return `${(grown / 1024 / 1024).toFixed(2)} MB`;
  };
  console.log(`stream of 64 MB: the heap grew by ${await growth(true)} with a client that reads it`);
  for (let readers = 1; readers <= 3; readers++) {
    console.log(`  and by ${await growth(false)} with one that stops reading (${readers} of 3)`);
  }
}

/** Measures how long a run takes that is started right after the worker was killed. */
export async function killedWorker(server: TestServer): Promise<void> {
  const body = JSON.stringify({ assistant_id: "one", input: { messages: [] } });
  const workers = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").map(Number);
  for (const worker of workers) process.kill(worker, "SIGKILL");
  const killed = performance.now();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/runs/wait`, { method: "POST", headers, body });
  await answer.json();
  console.log(`worker killed to the end of the next run: ${(performance.now() - killed).toFixed(0)} ms`);
}
