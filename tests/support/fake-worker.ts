/** Fake worker processes that write given bytes to their channel, under the supervisor of real workers. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SupervisedWorker, type WorkerOptions } from "../../lib/drivers/workers/process.ts";
import type { VitalLimits } from "../../lib/drivers/workers/vitals.ts";

export const READY = '{"type":"ready","graphs":[{"graph":"g"}],"langgraph":"1"}';

const MAIN = join(import.meta.dirname, "../../lib/worker/main.ts");
const LIFE = join(import.meta.dirname, "../worker/apps/life");
const started: SupervisedWorker[] = [];

export async function stopWorkers(): Promise<void> {
  await Promise.all(started.splice(0).map((worker) => worker.stop(0)));
}

interface Options {
  answer?: WorkerOptions["answer"];
  limits?: VitalLimits;
  /** Content of the file `later`, which `script` can read. */
  later?: string;
  /** Lines of a shell that run after the bytes are written; by default the process goes on reading. */
  script?: string;
}

/** Starts a fake worker that first writes these bytes. */
export function startFakeWorker(
  bytes: string | Uint8Array,
  { answer, limits, later = "", script = "exec cat <&3 >/dev/null" }: Options = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-scribbler-"));
  writeFileSync(join(folder, "bytes"), bytes);
  writeFileSync(join(folder, "later"), later);
  const node = join(folder, "node");
  writeFileSync(node, `#!/bin/sh\ncat bytes >&3\n${script}\n`);
  chmodSync(node, 0o755);
  return start({
    folder,
    node,
    main: "main",
    graphs: { g: { path: "g.js:g", description: undefined } },
    answer,
    limits,
  });
}

/** Starts a real worker. */
export function startRealWorker(limits?: VitalLimits): SupervisedWorker {
  const graphs = Object.fromEntries(
    ["quick", "spins"].map((id) => [id, { path: `graphs.js:${id}`, description: undefined }]),
  );
  return start({ folder: LIFE, main: MAIN, graphs, limits });
}

type Given = Pick<
  ConstructorParameters<typeof SupervisedWorker>[0],
  "folder" | "main" | "node" | "graphs" | "limits"
> & {
  change?: WorkerOptions["change"];
  answer?: WorkerOptions["answer"];
};

function start({
  answer = () => Promise.resolve(null),
  change = () => Promise.resolve(),
  ...given
}: Given): SupervisedWorker {
  const env = { ...process.env, LANGCHAIN_CALLBACKS_BACKGROUND: "false" };
  const rest = { env, memoryMb: 512, now: Date.now, echo: () => undefined };
  const worker = new SupervisedWorker({ ...rest, answer, change, ...given });
  started.push(worker);
  return worker;
}

/** Resolves with the reason when the process has crashed. */
export async function crashed(worker: SupervisedWorker): Promise<string> {
  const state = await untilStatus(worker, ["crashed", "failed"]);
  return "reason" in state ? state.reason : "";
}

export async function untilStatus(
  worker: SupervisedWorker,
  statuses: readonly ReturnType<SupervisedWorker["state"]>["status"][],
): Promise<ReturnType<SupervisedWorker["state"]>> {
  return await new Promise((resolve) => {
    const look = (): void => {
      const state = worker.state();
      if (!statuses.includes(state.status)) return;
      forget();
      resolve(state);
    };
    const forget = worker.onChange(look);
    look();
  });
}

let runs = 0;
export function quickRun(worker: SupervisedWorker, graph = "quick") {
  const order = {
    run: `run-${runs++}`,
    token: 1,
    graph,
    input: {},
    config: {},
    modes: ["values" as const],
    subgraphs: false,
  };
  return worker.run(order, () => Promise.resolve());
}
