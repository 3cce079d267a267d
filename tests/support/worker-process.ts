/** Drives a real worker process over file descriptor 3, as the host does. */
import { spawn, type ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RequestOrigin, HostRequest } from "../../lib/protocol/host-requests.ts";
import { lineDecoder, type WorkerLine } from "../../lib/protocol/worker-lines.ts";
import type { HostMessage, RunOrder } from "../../lib/protocol/worker.ts";

const MAIN = fileURLToPath(new URL("../../lib/worker/main.ts", import.meta.url));
const NODE = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));
/** A compile cache, as a host has one: it makes each start 60 ms faster. */
const CODE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/worker-tests", import.meta.url));
export const apps = fileURLToPath(new URL("../worker/apps", import.meta.url));

type Line<T extends WorkerLine["type"]> = Extract<WorkerLine, { type: T }>;
export type ParsedEvent = { event: string; data: unknown };

export interface Outcome {
  events: ParsedEvent[];
  status: Line<"end">["status"];
  error: Line<"end">["error"];
  /** The number of `end` lines that came. */
  ends: number;
}

export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly socket: Socket;
  readonly lines: WorkerLine[];
  readonly ready: Line<"ready">;
  /** Milliseconds from spawn to `ready`. */
  readonly startedInMs: number;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output(): string;
  send(message: HostMessage): void;
  /** Starts a run and resolves at its end. */
  run(order: Partial<RunOrder> & { graph: string }): Promise<Outcome>;
  /** Resolves with the first line, past or future, that fits. */
  line<T extends WorkerLine["type"]>(type: T, fits?: (line: Line<T>) => boolean): Promise<Line<T>>;
  outcome(run: string): Outcome;
  kill(): Promise<void>;
}

export interface StartOptions {
  /** A folder below `tests/worker/apps`, or an absolute path. */
  app: string;
  graphs: Record<string, string>;
  env?: Record<string, string>;
  /** The folder of the code that was compiled ahead. */
  compiled?: string;
  /** The binary, its flags and the worker's main file, in place of our own. */
  start?: readonly [node: string, ...args: string[]];
  /** Answers the requests of graphs; all are refused when left out. */
  answer?: (origin: RequestOrigin, request: HostRequest) => Promise<unknown>;
}

const alive = new Set<ChildProcess>();

/** Kills the workers that the tests of a file have left running. */
export function killWorkers(): void {
  for (const child of alive) child.kill("SIGKILL");
}

let runs = 0;

export async function startWorker({
  app,
  graphs,
  env = {},
  compiled,
  start = [NODE, MAIN],
  answer = refuse,
}: StartOptions): Promise<WorkerProcess> {
  const folder = app.startsWith("/") ? app : join(apps, app);
  const begun = performance.now();
  const [node, ...args] = start;
  const child = spawn(node, ["--max-old-space-size=512", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: CODE_CACHE, ...env },
  });
  alive.add(child);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => {
      alive.delete(child);
      resolve({ code, signal });
    });
  });
  let output = "";
  child.stdout?.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (output += data.toString()));

  const socket = child.stdio[3];
  if (!(socket instanceof Socket)) throw new Error("no channel");
  socket.on("error", () => {});
  const lines: WorkerLine[] = [];
  const listeners = new Set<(line: WorkerLine) => void>();
  readLines(socket, (line) => {
    lines.push(line);
    for (const listener of listeners) listener(line);
  });

  const line = <T extends WorkerLine["type"]>(type: T, fits: (line: Line<T>) => boolean = () => true) => {
    const matches = (candidate: WorkerLine): candidate is Line<T> =>
      candidate.type === type && fits(candidate as Line<T>);
    const past = lines.find(matches);
    if (past) return Promise.resolve(past);
    return new Promise<Line<T>>((resolve, reject) => {
      const listener = (candidate: WorkerLine) => {
        if (!matches(candidate)) return;
        listeners.delete(listener);
        resolve(candidate);
      };
      listeners.add(listener);
      void exited.then(({ code, signal }) => reject(new Error(`worker ended (${code ?? signal}):\n${output}`)));
    });
  };
  const send = (message: HostMessage) => socket.write(`${JSON.stringify(message)}\n`);
  const outcome = (run: string): Outcome => {
    const events = lines.filter((candidate) => candidate.type === "event" && candidate.run === run);
    const ends = lines.filter((candidate) => candidate.type === "end" && candidate.run === run) as Line<"end">[];
    return {
      events: (events as Line<"event">[]).map(({ event, data }) => ({ event, data: JSON.parse(data) })),
      status: ends[0]?.status ?? "timeout",
      error: ends[0]?.error,
      ends: ends.length,
    };
  };

  listeners.add((question) => {
    if (question.type === "tell") {
      const { run, token, tell } = question;
      answer({ run, token }, tell).catch((error: unknown) =>
        send({ type: "refused", run, token, error: { error: "HostError", message: String(error) } }),
      );
    }
    if (question.type !== "ask") return;
    const { id, run, token, ask } = question;
    answer({ run, token }, ask).then(
      (value) => send({ type: "answer", id, value: value ?? null }),
      (error: unknown) => send({ type: "answer", id, error: { error: "HostError", message: String(error) } }),
    );
  });

  send({
    type: "load",
    folder,
    compiled,
    graphs: Object.fromEntries(Object.entries(graphs).map(([id, path]) => [id, { path, description: undefined }])),
  });
  const ready = await line("ready");
  return {
    child,
    socket,
    lines,
    ready,
    startedInMs: performance.now() - begun,
    exited,
    output: () => output,
    send,
    line,
    outcome,
    async run(order) {
      const run = order.run ?? `run-${++runs}`;
      send({ type: "run", token: 1, input: null, config: {}, modes: ["values"], subgraphs: false, ...order, run });
      await line("end", (candidate) => candidate.run === run);
      return outcome(run);
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

const refuse = () => Promise.reject(new Error("no host answers here"));

function readLines(socket: Socket, onLine: (line: WorkerLine) => void): void {
  let rest = "";
  const decode = lineDecoder();
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) onLine(decode(part));
  });
}
