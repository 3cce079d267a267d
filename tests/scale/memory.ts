/** Proves that runs which have ended leave nothing in Redis. */
import { httpClient } from "../bench/http-client.ts";
import { startCluster } from "./cluster.ts";
import type { Report } from "./report.ts";

const RUNS = 10_000;
const WARM = 1_000;
const CALLERS = 20;
/** The bytes by which allocation and connections may vary: less than a tenth of a kilobyte a run. */
const FLAT_BYTES = 1_000_000;
const BODY = JSON.stringify({
  assistant_id: "one",
  input: { messages: [{ role: "user", content: "hello" }] },
  stream_mode: "updates",
});

export async function proveMemory(programs: string, report: Report): Promise<void> {
  const cluster = await startCluster({ programs, roles: ["api", "run", "run"], app: "bench/app" });
  const client = httpClient(CALLERS);
  try {
    const used = async (): Promise<number> =>
      Number(/used_memory:(\d+)/.exec((await cluster.redis?.ask("info", "memory")) ?? "")?.[1]);
    const run = async (count: number): Promise<void> => {
      let left = count;
      const call = async (): Promise<void> => {
        while (left-- > 0) await client.post(`${cluster.balancer.url}/runs/stream`, BODY, () => undefined);
      };
      await Promise.all(Array.from({ length: CALLERS }, call));
    };
    await run(WARM);
    const before = await used();
    await run(RUNS);
    const [after, keys] = [await used(), Number(await cluster.redis?.ask("dbsize"))];
    const grown = after - before;
    const faults = grown < FLAT_BYTES ? [] : [`Redis grew by ${grown} bytes`];
    const kb = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
    report("Redis' memory", faults, `${RUNS} runs: ${kb(before)} before, ${kb(after)} after, ${keys} keys`);
  } finally {
    client.close();
    await cluster.close();
  }
}
