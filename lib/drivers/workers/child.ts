import { type ChildProcess, spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { HostMessage, WorkerLine } from "../../protocol/worker.ts";
import { decodeWorkerLine } from "../../protocol/worker.ts";
import { heapIsFull } from "../../rules/resident-memory.ts";
import type { Wrap } from "../fence/fence.ts";
import { fencedEnding, programIn } from "../fence/inside.ts";
import { killGroup, limited, type Mark } from "../processes.ts";
import { endGroup, keepGroup, newMark } from "./keeper.ts";
import { lineWriter, readLines } from "./lines.ts";

/** How long after a worker's end its last output is waited for. */
const LAST_WORDS_MS = 500;
/** Room for young objects: what a run makes dies with it, so fewer and larger rounds of collection cost a run 10 % less. */
const YOUNG_MB = 32;

/** What Node.js says before it ends itself. */
const HEAP_FULL = /FATAL ERROR: .*heap/;

export interface ChildOptions {
  /** The worker's entry file. */
  main: string;
  /** The Node.js that runs it; the server's own when left out. */
  node?: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Ceiling of the JavaScript heap, in MB. */
  memoryMb: number;
  /** What Node.js is to hold the code to; nothing when left out. */
  flags?: readonly string[];
  /** Whose process it is; the server's own user when left out. */
  user?: { uid: number; gid: number };
  /** Puts it behind a fence, where there is one. */
  wrap?: Wrap;
}

export interface ChildEvents {
  /** All messages of one read, in order. */
  messages(messages: WorkerLine[]): void;
  print(from: "out" | "err", text: string): void;
  /** Once, after the last message. */
  exit(reason: string): void;
}

/** One worker process from its start to its end. */
export interface Child {
  /** Of Node.js itself, as the server sees it. */
  readonly pid: number | undefined;
  send(message: HostMessage): void;
  /** Stops and goes on with reading what the worker tells. */
  pause(): void;
  resume(): void;
  kill(reason: string): void;
}

/** In a process group of its own, of which nothing outlives the worker, nor this process. */
export function startChild(options: ChildOptions, events: ChildEvents): Child {
  const mark = newMark();
  const child = spawnWorker(options, mark);
  const { pid } = child;
  const fenced = options.wrap !== undefined;
  if (pid !== undefined) keepGroup(pid, isConfined(options) ? { fenced, uid: options.user?.uid } : undefined);
  let killedFor: string | undefined;
  const kill = (reason: string): void => {
    killedFor ??= reason;
    if (pid !== undefined) killGroup(pid);
  };
  const channel = channelOf(child);
  channel.on("error", () => {
    // The worker went away while something was being written to it: `exit` tells.
  });
  readLines(
    channel,
    (lines) => {
      try {
        events.messages(lines.map(decodeWorkerLine));
      } catch {
        kill("it wrote something else than messages to its channel");
      }
    },
    () => kill("it sent a message of more than 64 MB"),
  );
  child.stdout?.setEncoding("utf8").on("data", (text: string) => events.print("out", text));
  let heapFull = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    heapFull ||= HEAP_FULL.test(text);
    events.print("err", text);
  });
  let ended = false;
  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    events.exit(reason);
  };
  child.on("error", (error) => end(`it could not be started: ${error.message}`));
  const told = (...how: [code: number | null, signal: string | null]): void => {
    const { code, signal } = fenced ? fencedEnding(...how) : { code: how[0], signal: how[1] };
    const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
    end(killedFor ?? (signal !== null && heapFull ? heapIsFull(options.memoryMb) : ending));
  };
  // By `close` all it said has been read; a process that left the group with its output open must not hold that up.
  child.on("close", told);
  child.on("exit", (code, signal) => {
    if (pid !== undefined) endGroup(pid, mark);
    setTimeout(told, LAST_WORDS_MS, code, signal).unref();
  });
  return {
    get pid() {
      return pid !== undefined && fenced ? programIn(pid) : pid;
    },
    send: lineWriter<HostMessage>(channel),
    pause: () => void channel.pause(),
    resume: () => void channel.resume(),
    kill,
  };
}

function isConfined({ flags = [], wrap }: ChildOptions): boolean {
  return flags.length > 0 || wrap !== undefined;
}

function spawnWorker(options: ChildOptions, mark: Mark): ChildProcess {
  const { main, node = process.execPath, folder, env, memoryMb, flags = [], user, wrap } = options;
  const heap = [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${YOUNG_MB}`, "--expose-gc"];
  const args = [...heap, "--enable-source-maps", ...flags, main];
  const command = { program: node, args, env: { ...env, [mark.name]: mark.value }, cwd: folder };
  const held = wrap?.(command) ?? (isConfined(options) ? { ...command, ...limited(mark, node, args) } : command);
  return spawn(held.program, held.args, {
    cwd: folder,
    env: held.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    ...user,
  });
}

function channelOf(child: ChildProcess): Duplex {
  const channel = child.stdio[3];
  if (channel instanceof Duplex) return channel;
  throw new Error("a worker was started without its channel");
}
