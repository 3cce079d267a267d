/** `npm run bench:deploy`: what deploying takes, from a repository to an answer, and what it costs those who are served. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import packageJson from "../../package.json" with { type: "json" };
import type { Revision } from "../../lib/protocol/revisions.ts";
import { stepTimes } from "../../lib/rules/revisions/typical-times.ts";
import { call, until } from "../support/control.ts";
import { commit, git, makeRepository, serveGit } from "../support/git-server.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { httpClient } from "./http-client.ts";
import { type Measured, measure, median } from "./measure.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const MANY = 200;
/** A worker gives back its memory after some seconds in which nothing is asked of it. */
const IDLE_MS = 6_000;

const folder = mkdtempSync(join(tmpdir(), "graphlib-bench-"));
const repository = join(folder, "repositories", "single");
const SOURCE = resolve(import.meta.dirname, "../drivers/apps/single");
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const say = (what: string, figure: string, target: string): void =>
  console.log(`${what.padEnd(52)}${figure.padEnd(34)}target ${target}`);

function stored(): void {
  cpSync(SOURCE, repository, { recursive: true, filter: (path) => !path.includes("node_modules") });
  makeRepository(repository, {}, "first");
}

/** In ms, from the request to the revision's being live; and of that, what the steps took. */
async function timed(
  server: TestServer,
  name: string,
  begin: () => Promise<unknown>,
): Promise<{ ms: number; revision: Revision }> {
  const start = performance.now();
  await begin();
  const revision = await until(server, name, ["live"]);
  return { ms: performance.now() - start, revision };
}

async function deploying(server: TestServer, url: string): Promise<void> {
  const create = (name: string) =>
    timed(server, name, () =>
      call(server, "POST", "/deployments", {
        name,
        source: { type: "git", url },
        environment: { variables: { OPENAI_API_KEY: "none", GREETING: "hello" } },
      }),
    );
  const cold = await create("first");
  const install = stepTimes(cold.revision).get("installing") ?? 0;
  say("repository to live, empty cache", seconds(cold.ms), "< 20 s");
  say("  without installing, which waits for the registry", seconds(cold.ms - install), "");
  const known = await create("second");
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

async function sleeping(server: TestServer): Promise<void> {
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

/** The feed of the console tells when a worker falls asleep. */
async function untilAsleep(server: TestServer, name: string): Promise<void> {
  const left = new AbortController();
  const feed = await fetch(`${server.url}/api/deployments/events`, { signal: left.signal });
  let text = "";
  for await (const piece of feed.body ?? []) {
    text += Buffer.from(piece).toString();
    const states = text.split("\n").filter((line) => line.startsWith("data: ["));
    const newest = JSON.parse(states.at(-1)?.slice("data: ".length) ?? "[]") as { name: string; worker: string }[];
    if (newest.some((one) => one.name === name && one.worker === "asleep")) break;
  }
  left.abort();
}

async function workerOf(server: TestServer, name: string): Promise<number> {
  const page = await (await fetch(`${server.url}/deployments/${name}`)).text();
  const pid = /Process(?:<[^>]*>)+(\d+)</.exec(page)?.[1];
  if (pid === undefined) throw new Error(`no process of ${name} is shown`);
  return Number(pid);
}

/** In MB; the share counts what several processes have in common, as Node's own program, by parts. */
function memoryOf(pid: number): { share: number; resident: number } {
  const told = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const mb = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(told)?.[1]) / 1024);
  return { share: mb("Pss"), resident: mb("Rss") };
}

/** What those who are served feel of builds that go on beside them. */
async function beside(server: TestServer): Promise<void> {
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
    `p95 of a run beside ${builds} builds, over alone`,
    `${ratio.toFixed(2)} (${together.whole.p95.toFixed(0)} over ${alone.whole.p95.toFixed(0)} ms)`,
    "< 2",
  );
}

async function firstPage(server: TestServer): Promise<void> {
  const source = { type: "folder", path: join(folder, "empty") };
  const { length } = (await call<unknown[]>(server, "GET", "/deployments")).json;
  for (let number = length; number < MANY; number++) {
    await call(server, "POST", "/deployments", { name: `many-${number}`, source });
    await until(server, `many-${number}`, ["source_failed", "config_failed"]);
  }
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const start = performance.now();
    await (await fetch(`${server.url}/`)).text();
    times.push(performance.now() - start);
  }
  say(`first page of ${MANY} deployments, whole`, `${median(times).toFixed(0)} ms`, "< 300 ms");
}

const cpu = cpus();
console.log(
  `${packageJson.name} ${packageJson.version}, Node ${process.version}, ${git(tmpdir(), "--version")},` +
    ` ${cpu.length} x ${cpu[0]?.model ?? "?"}\n`,
);
stored();
const remote = await serveGit(join(folder, "repositories"));
const server = await startServer();
try {
  await deploying(server, `${remote.origin}/single/.git`);
  await sleeping(server);
  await beside(server);
  await firstPage(server);
} finally {
  await server.stop();
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
}
