/** Profiles server and worker during a workload, and says in whose code their main threads spend their time. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startServer } from "../support/server.ts";
import { inspect, INSPECTED, type Inspector } from "./inspector.ts";
import { type CpuProfile, timeByOwner } from "./profile-owners.ts";
import { CALLERS, overHttp, type Workload } from "./workloads.ts";

const FOLDER = process.env.BENCH_PROFILE;
const here = import.meta.dirname;
const root = resolve(here, "../..");

/** Between two samples, in microseconds. */
const INTERVAL = 200;
/** Owners with less than this share of the time are not printed. */
const LEAST_SHARE = 0.01;

/**
 * If `BENCH_PROFILE` names a folder, runs the workload on a server of its own, writes a CPU profile of each process there, and
 * prints the shares of each owner. The inspector slows both down, so these runs give no other figures.
 */
export async function profile(workload: Workload): Promise<void> {
  if (FOLDER === undefined || FOLDER === "") return;
  const app = inspectedApp();
  const server = await startServer({ app, env: INSPECTED });
  const callers = Math.max(...CALLERS);
  const run = (): ReturnType<typeof overHttp> =>
    overHttp(server.url + workload.path, workload.body, callers, server.pid);
  await run();
  const [host, worker, ...more] = await inspect(server);
  if (!host || !worker || more.length > 0) throw new Error("other processes can be inspected than server and worker");
  for (const one of [host, worker]) await begin(one);
  const { processor } = await run();
  mkdirSync(FOLDER, { recursive: true });
  for (const [who, inspector] of Object.entries({ host, worker })) {
    const taken = await end(inspector);
    const file = join(FOLDER, `${workload.name.replaceAll(/\W+/g, "-")}-${who}.cpuprofile`);
    writeFileSync(file, JSON.stringify(taken));
    print(
      `${workload.name}, ${callers}: ${who}, ${processor[who as keyof typeof processor].toFixed(2)} ms a run while profiled, ${file}`,
      taken,
    );
  }
  await server.stop();
  rmSync(app, { recursive: true });
}

/** Makes an application of the same graphs whose worker can be inspected. Workers do not get the server's `NODE_` variables. */
function inspectedApp(): string {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-bench-"));
  const config = JSON.parse(readFileSync(join(here, "app/graphlib.json"), "utf8")) as object;
  writeFileSync(join(folder, "graphlib.json"), JSON.stringify({ ...config, env: INSPECTED }));
  symlinkSync(join(here, "app/graphs.mjs"), join(folder, "graphs.mjs"));
  return folder;
}

async function begin(inspector: Inspector): Promise<void> {
  await inspector.call("Profiler.enable");
  await inspector.call("Profiler.setSamplingInterval", { interval: INTERVAL });
  await inspector.call("Profiler.start");
}

async function end(inspector: Inspector): Promise<CpuProfile> {
  const { profile: taken } = (await inspector.call("Profiler.stop")) as { profile: CpuProfile };
  inspector.close();
  return taken;
}

/** Prints shares and no times: the sampler's clock goes on while other programs have the processor. */
function print(title: string, taken: CpuProfile): void {
  const times = [...timeByOwner(taken, root)].filter(([owner]) => owner !== "idle").toSorted(([, a], [, b]) => b - a);
  const all = times.reduce((sum, [, time]) => sum + time, 0);
  console.log(title);
  for (const [owner, time] of times.filter(([, spent]) => spent / all >= LEAST_SHARE))
    console.log(`${((100 * time) / all).toFixed(1).padStart(6)} %  ${owner}`);
  console.log();
}
