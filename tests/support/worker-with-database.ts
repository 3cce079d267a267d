/** A real worker process under its supervisor, with a database, so that threads can be continued. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuid } from "uuid";
import { sqlCheckpoints } from "../../lib/drivers/sql/checkpoints.ts";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { sqlStore } from "../../lib/drivers/sql/store.ts";
import { SupervisedWorker } from "../../lib/drivers/workers/process.ts";
import { answerHostRequest } from "../../lib/engine/host-requests.ts";
import type { RunEnding, RunOutcome } from "../../lib/engine/ports/run-end.ts";
import type { CheckpointStore } from "../../lib/engine/ports/threads.ts";
import type { RunOrder } from "../../lib/protocol/worker.ts";
import { newRun } from "../drivers/runs.suite.ts";

export interface WorkerWithDatabase {
  readonly checkpoints: CheckpointStore;
  readonly file: string;
  /** Characters of all requests of the worker to its host, and of the responses, so far. */
  crossed(): number;
  /** Stores a run, claims it and executes it in one of the processes; its events are parsed. */
  run(
    order: Pick<RunOrder, "graph"> & Partial<RunOrder>,
    process?: number,
  ): Promise<RunEnding & { parsedEvents: { event: string; data: unknown }[] }>;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, "../../lib/worker/main.ts");
const APPS = join(import.meta.dirname, "../worker/apps");

/** Starts `processes` workers of the same application over one database. They share no memory. */
export async function startWorkerWithDatabase(
  app: string,
  graphs: Record<string, string>,
  processes = 1,
): Promise<WorkerWithDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-kept-"));
  const file = join(folder, "database.sqlite");
  const db = await openSqlite(file, deploymentShape);
  const commit = groupCommit(db);
  const runs = sqlRuns(db, commit);
  const checkpoints = sqlCheckpoints(db, commit);
  const items = sqlStore(db, commit);
  let crossed = 0;
  const start = async () => {
    const output: string[] = [];
    const worker = new SupervisedWorker({
      main: MAIN,
      folder: app.startsWith("/") ? app : join(APPS, app),
      env: { ...process.env, LANGCHAIN_CALLBACKS_BACKGROUND: "false" },
      graphs: Object.fromEntries(Object.entries(graphs).map(([id, path]) => [id, { path, description: undefined }])),
      memoryMb: 512,
      now: Date.now,
      async answer(origin, request) {
        const deployment = { checkpoints, config: undefined, items, worker };
        const answer = await answerHostRequest(
          { clock: { now: Date.now }, newId: () => uuid() },
          deployment,
          origin,
          request,
        );
        crossed += JSON.stringify([request, answer]).length;
        return answer;
      },
      async change(origin, change, hasFailed) {
        crossed += JSON.stringify(change).length;
        await checkpoints.change(origin, change, hasFailed);
      },
      echo: (line) => output.push(line.text),
    });
    await ready(worker, output);
    return worker;
  };
  const workers = await Promise.all(Array.from({ length: processes }, start));

  return {
    checkpoints,
    file,
    crossed: () => crossed,
    async run(order, index = 0) {
      const thread = order.config?.configurable?.thread_id;
      const onThread = typeof thread === "string" && { thread_id: thread, threaded: true };
      const run = newRun({ run_id: order.run ?? uuid(), ...onThread });
      await runs.insert(run);
      const [claimed] = await runs.claim(1, Date.now() + 1_000, () => ({ event: "metadata", data: "{}" }));
      const worker = workers[index];
      if (claimed?.run_id !== run.run_id || !worker) throw new Error("another run was claimed");
      const events: { event: string; data: string }[] = [];
      const rest = { input: null, config: {}, modes: ["values" as const], subgraphs: false, durable: true };
      const { token, head } = claimed;
      const whole: RunOrder = { ...rest, head, ...order, run: run.run_id, token };
      const ending = await worker.run(whole, (reported) => Promise.resolve(events.push(...reported)));
      const finish = (end: RunOutcome) => runs.finish(claimed, end, [], Date.now());
      const stored = await finish(ending).then(
        () => ending,
        async (): Promise<RunEnding> => {
          const failed: RunEnding = { status: "error", error: ending.unstored?.(), events: ending.events };
          await finish(failed);
          return failed;
        },
      );
      const all = [...events, ...stored.events];
      return { ...stored, parsedEvents: all.map(({ event, data }) => ({ event, data: JSON.parse(data) as unknown })) };
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop(1_000)));
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ready(worker: SupervisedWorker, output: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { status } = worker.state();
      if (status === "starting") return;
      forget();
      const broken = worker.graphs().filter((graph) => graph.error);
      if (status === "ready" && broken.length === 0) resolve();
      else reject(new Error(`${status}: ${JSON.stringify(broken)}\n${output.join("\n")}`));
    };
    const forget = worker.onChange(look);
  });
}
