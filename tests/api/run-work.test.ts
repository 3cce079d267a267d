/** A run's costs that no load can change: statements, transactions, and answers to questions of its worker. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({
  app: resolve(import.meta.dirname, "../bench/app"),
  env: { NODE_OPTIONS: `--import=${resolve(import.meta.dirname, "../support/count-work.mjs")}` },
  own: true,
});

const input = { messages: [{ role: "user", content: "hello" }] };
const run = JSON.stringify({ assistant_id: "one", input, stream_mode: "updates", if_not_exists: "create" });
const message = { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "hello" }] };
const send = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });

interface Work {
  statements: number;
  transactions: number;
  answers: number;
}

/** Returns the work since the last call. */
async function workDone(): Promise<Work> {
  const before = server.output().length;
  process.kill(server.pid, "SIGUSR2");
  for (;;) {
    const found = /\{"counted":.*\}/.exec(server.output().slice(before))?.[0];
    if (found === undefined) {
      await sleep(5);
      continue;
    }
    const { texts, answers } = (JSON.parse(found) as { counted: { texts: string[]; answers: number } }).counted;
    const transactions = texts.filter((text) => text === "begin").length;
    return { statements: texts.filter((text) => !/^(?:begin|commit)$/.test(text)).length, transactions, answers };
  }
}

/** The number of runs. On a busy machine the messages of a run may arrive in parts: the least work counts. */
const RUNS = 20;
const QUIET_MS = 100;

async function leastWork(path: () => string, body: string): Promise<Work> {
  const all: Work[] = [];
  for (let n = 0; n < RUNS; n++) {
    await sleep(QUIET_MS);
    await workDone();
    expect((await raw(server.url + path(), { body })).status).toBe(200);
    await sleep(QUIET_MS);
    all.push(await workDone());
  }
  const least = (name: keyof Work): number => Math.min(...all.map((work) => work[name]));
  return { statements: least("statements"), transactions: least("transactions"), answers: least("answers") };
}

const thread = randomUUID();

test.each([
  ["a run without a thread", () => "/runs/stream", run, { statements: 3, transactions: 2, answers: 0 }],
  [
    "a run that begins a thread",
    () => `/threads/${randomUUID()}/runs/stream`,
    run,
    { statements: 22, transactions: 2, answers: 0 },
  ],
  [
    "a run that continues one",
    () => `/threads/${thread}/runs/stream`,
    run,
    { statements: 22, transactions: 2, answers: 0 },
  ],
  ["a blocking message of A2A", () => "/a2a/one", send, { statements: 26, transactions: 3, answers: 0 }],
])("%s takes few statements, transactions and answers", async (_title, path, body, most) => {
  const { statements, transactions, answers } = await leastWork(path, body);
  expect(statements).toBeLessThanOrEqual(most.statements);
  expect(transactions).toBeLessThanOrEqual(most.transactions);
  expect(answers).toBeLessThanOrEqual(most.answers);
  expect(statements).toBeGreaterThan(0);
});
