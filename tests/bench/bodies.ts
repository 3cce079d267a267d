/** Measures how long `/ok` takes, and how much memory the server takes, while many large request bodies arrive at once. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { TestServer } from "../support/server.ts";
import { cpuSeconds } from "./idle.ts";

const MB = 1024 * 1024;

interface Flood {
  name: string;
  path: string;
  count: number;
  body: string;
  headers?: Record<string, string>;
}

const fill = (head: string, item: string, tail: string, bytes: number): string => {
  const count = Math.floor((bytes - head.length - tail.length) / (item.length + 1));
  return `${head}${Array.from({ length: count }, () => item).join(",")}${tail}`;
};
const runWith = (item: string): string =>
  fill('{"assistant_id":"one","stream_mode":"updates","input":{"messages":[],"more":[', item, "]}}", 10 * MB - 1024);
const text = JSON.stringify("x".repeat(10 * MB - 2048));

const floods: Flood[] = [
  {
    name: "20 unsigned pushes of 5 MB",
    path: "/api/hooks/git",
    count: 20,
    body: fill('{"ref":"refs/heads/main","commits":[', '{"id":"0","message":"m"}', "]}", 5 * MB - 1024),
    headers: { "x-github-event": "push" },
  },
  {
    name: "20 pushes of 5 MB, wrongly signed",
    path: "/api/hooks/git",
    count: 20,
    body: fill('{"ref":"refs/heads/main","commits":[', '{"id":"0","message":"m"}', "]}", 5 * MB - 1024),
    headers: { "x-github-event": "push", "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
  },
  {
    name: "25 runs of 10 MB, one text",
    path: "/runs/wait",
    count: 25,
    body: `{"assistant_id":"one","input":{"messages":[],"more":${text}}}`,
  },
  { name: "25 runs of 10 MB, small objects", path: "/runs/wait", count: 25, body: runWith('{"a":1,"b":"c"}') },
  { name: "25 runs of 10 MB, small numbers", path: "/runs/wait", count: 25, body: runWith("1") },
];

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

const agent = new Agent({ keepAlive: true });

/** Resolves with the status, or with "cut" when the connection was closed before the end of the answer. */
function post(url: string, { body, headers }: Flood): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
      agent,
    });
    sent.once("response", (answer) => {
      answer.resume();
      answer.once("end", () => resolve(String(answer.statusCode)));
      answer.once("error", () => resolve("cut"));
    });
    sent.once("error", () => resolve("cut"));
    sent.end(body);
  });
}

/**
 * Requests `/ok` ten times a second until `over`. Returns the longest time to an answer, in seconds; the most processor
 * time that the server used in such a time, which other programs of this machine hardly change; and the most memory.
 */
async function watch(server: TestServer, over: () => boolean): Promise<{ ok: number; cpu: number; mb: number }> {
  let ok = 0;
  let cpu = 0;
  let mb = 0;
  const requests: Promise<void>[] = [];
  const requestOk = async (): Promise<void> => {
    const [begun, used] = [performance.now(), cpuSeconds(server.pid)];
    await fetch(`${server.url}/ok`).then((answer) => answer.arrayBuffer());
    ok = Math.max(ok, (performance.now() - begun) / 1000);
    cpu = Math.max(cpu, cpuSeconds(server.pid) - used);
  };
  while (!over()) {
    requests.push(requestOk());
    mb = Math.max(mb, residentMb(server.pid));
    await pause(100);
  }
  await Promise.all(requests);
  return { ok, cpu, mb };
}

async function flood(server: TestServer, one: Flood): Promise<void> {
  const before = residentMb(server.pid);
  let open = one.count;
  const begun = performance.now();
  const answers = Promise.all(
    Array.from({ length: one.count }, () => post(server.url + one.path, one).finally(() => (open -= 1))),
  );
  const { ok, cpu, mb } = await watch(server, () => open === 0);
  const took = performance.now() - begun;
  const counts = Object.entries(Object.groupBy(await answers, (status) => status));
  const statuses = counts.map(([status, list]) => `${list?.length} x ${status}`).join(", ");
  console.log(
    `${one.name.padEnd(44)}/ok at most ${ok.toFixed(2)} s (${cpu.toFixed(2)} s of the server's processor time), + ${(mb - before).toFixed(0)} MB,` +
      ` all answered in ${(took / 1000).toFixed(1)} s: ${statuses}`,
  );
}

export async function largeBodies(server: TestServer): Promise<void> {
  for (const one of floods) {
    await flood(server, one);
    await pause(3_000);
  }
}
