/**
 * `npm run bench:deploy [-- <part of a name>]` measures how long deploying takes, from a repository to an answer, and how it
 * slows other requests. `BENCH_SECONDS` (8), `BENCH_ROUNDS` (5) and `BENCH_LIMIT_SECONDS` (900) are those of `npm run bench`.
 */
import { cpSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { stepTimes } from "../../lib/rules/revisions/typical-times.ts";
import { call, untilState } from "../support/control.ts";
import { commit, git, makeRepository, serveGit } from "../support/git-server.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { httpClient } from "./http-client.ts";
import { machineText } from "./machine.ts";
import { type Measured, measure, median } from "./measure.ts";
import { type Groups, runGroups } from "./groups.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const MANY = 200;
/** A worker releases memory after some seconds without requests. */
const IDLE_MS = 6_000;

/** Every group of measurements has a temporary folder of its own. */
const repositories = join(tmpdir(), "repositories");
const repository = join(repositories, "single");
const SOURCE = resolve(import.meta.dirname, "../drivers/apps/single");
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const say = (what: string, figure: string, target?: string): void =>
  console.log(`${what.padEnd(52)}${figure.padEnd(34)}${target ? `target ${target}` : ""}`);

/** A group of measurements with a server and a repository of its own. */
function onServer(measureIt: (server: TestServer, url: string) => Promise<void>): Groups[string] {
  return async () => {
    cpSync(SOURCE, repository, { recursive: true, filter: (path) => !path.includes("node_modules") });
    makeRepository(repository, {}, "first");
    const remote = await serveGit(repositories);
    const server = await startServer();
    await measureIt(server, `${remote.origin}/single/.git`);
    await server.stop();
    await remote.close();
  };
}

interface Timed {
  /** Time from the request until the revision is live. */
  ms: number;
  revision: Revision;
}

async function timed(server: TestServer, name: string, begin: () => Promise<unknown>): Promise<Timed> {
  const start = performance.now();
  await begin();
  const revision = await untilState(server, name, ["live"]);
  return { ms: performance.now() - start, revision };
}

async function create(server: TestServer, name: string, url: string): Promise<Timed> {
  return await timed(server, name, () =>
    call(server, "POST", "/deployments", {
      name,
      source: { type: "git", url },
      environment: { variables: { OPENAI_API_KEY: "none", GREETING: "hello" } },
    }),
  );
}

async function deploying(server: TestServer, url: string): Promise<void> {
  const cold = await create(server, "first", url);
  const install = stepTimes(cold.revision).get("installing") ?? 0;
  say("repository to live, empty cache", seconds(cold.ms), "< 20 s");
  say("  without the installation and its downloads", seconds(cold.ms - install));
  const known = await create(server, "second", url);
  say("repository to live, known lockfile", seconds(known.ms), "< 3 s");
  for (const [step, ms] of stepTimes(known.revision)) console.log(`    ${step.padEnd(48)}${ms} ms`);

  const again: number[] = [];
  const back: number[] = [];
  const variables: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    commit(repository, { "src/mark.ts": `export const mark = ${round};\n` }, `round ${round}`);
    again.push((await timed(server, "first", () => call(server, "POST", "/deployments/first/revisions", {}))).ms);
    const body = { revision: 1, force: true };
    back.push((await timed(server, "first", () => call(server, "POST", "/deployments/first/rollback", body))).ms);
    const patch = { variables: { GREETING: `hello ${round}` } };
    variables.push(
      (await timed(server, "first", () => call(server, "PATCH", "/deployments/first/environment", patch))).ms,
    );
  }
  const spread = (all: number[]): string =>
    `${seconds(median(all))} (${seconds(Math.min(...all))} to ${seconds(Math.max(...all))})`;
  say("a push to live, known lockfile", spread(again), "< 3 s");
  say("rollback", spread(back), "< 2 s");
  say("change of variables", spread(variables), "< 2 s");
}

const BODY = JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "hello" }] } });

async function sleeping(server: TestServer, url: string): Promise<void> {
  await create(server, "second", url);
  const pid = await workerOf(server, "second");
  await sleep(IDLE_MS);
  const { share, resident } = memoryOf(pid);
  say("an idle deployment, its share of the memory", `${share} MB (resident ${resident} MB)`, "< 90 MB");
  await call(server, "PATCH", "/deployments/second", { settings: { sleep_after_minutes: 0.02 } });
  await timed(server, "second", () => call(server, "POST", "/deployments/second/revisions", {}));
  const client = httpClient(1);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await untilAsleep(server, "second");
    const start = performance.now();
    await client.post(`${server.url}/agents/second/runs/wait`, BODY, () => undefined);
    times.push(performance.now() - start);
  }
  client.close();
  say("waking, to the end of a first run", seconds(median(times)), "< 1 s");
}

/** Waits for the event of the console's stream that says that the worker is asleep. */
async function untilAsleep(server: TestServer, name: string): Promise<void> {
  const controller = new AbortController();
  const stream = await fetch(`${server.url}/api/deployments/events`, { signal: controller.signal });
  let text = "";
  for await (const piece of stream.body ?? []) {
    text += Buffer.from(piece).toString();
    const states = text.split("\n").filter((line) => line.startsWith("data: ["));
    const newest = JSON.parse(states.at(-1)?.slice("data: ".length) ?? "[]") as { name: string; worker: string }[];
    if (newest.some((one) => one.name === name && one.worker === "asleep")) break;
  }
  controller.abort();
}

async function workerOf(server: TestServer, name: string): Promise<number> {
  const page = await (await fetch(`${server.url}/deployments/${name}`)).text();
  const pid = /Process(?:<[^>]*>)+(\d+)</.exec(page)?.[1];
  if (pid === undefined) throw new Error(`the page of ${name} shows no process`);
  return Number(pid);
}

/** Returns MB. Memory that n processes share, such as Node's own program, counts as one n-th in `share`. */
function memoryOf(pid: number): { share: number; resident: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const mb = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(rollup)?.[1]) / 1024);
  return { share: mb("Pss"), resident: mb("Rss") };
}

/** Measures how builds of one deployment slow the runs of another. */
async function beside(server: TestServer, url: string): Promise<void> {
  await create(server, "first", url);
  await create(server, "second", url);
  const client = httpClient(4);
  const serve = (): Promise<Measured> =>
    measure(4, SECONDS, (first) => client.post(`${server.url}/agents/first/runs/wait`, BODY, first));
  const alone = await serve();
  let building = true;
  let builds = 0;
  const build = (async () => {
    for (; building; builds++) {
      await timed(server, "second", () => call(server, "POST", "/deployments/second/revisions", {}));
    }
  })();
  const together = await serve();
  building = false;
  await build;
  client.close();
  const ratio = together.whole.p95 / alone.whole.p95;
  say(
    `p95 of a run during ${builds} builds, relative to alone`,
    `${ratio.toFixed(2)} (${together.whole.p95.toFixed(0)} to ${alone.whole.p95.toFixed(0)} ms)`,
    "< 2",
  );
}

async function firstPage(server: TestServer): Promise<void> {
  const source = { type: "folder", path: join(tmpdir(), "empty") };
  const { length } = (await call<unknown[]>(server, "GET", "/deployments")).json;
  for (let number = length; number < MANY; number++) {
    await call(server, "POST", "/deployments", { name: `many-${number}`, source });
    await untilState(server, `many-${number}`, ["source_failed", "config_failed"]);
  }
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const start = performance.now();
    await (await fetch(`${server.url}/`)).text();
    times.push(performance.now() - start);
  }
  say(`whole first page of ${MANY} deployments`, `${median(times).toFixed(0)} ms`, "< 300 ms");
}

const groups: Groups = {
  deploying: onServer(deploying),
  sleeping: onServer(sleeping),
  beside: onServer(beside),
  page: onServer(firstPage),
};

await runGroups(import.meta.filename, groups, () => {
  console.log(`${machineText(`Node ${process.version}`, git(tmpdir(), "--version"))}\n`);
});
