import { type ChildProcess, spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { HostMessage, WorkerLine } from "../../protocol/worker.ts";
import { decodeWorkerLine } from "../../protocol/worker.ts";
import { heapIsFull } from "../../rules/resident-memory.ts";
import { readPaced } from "../paced.ts";
import { killGroup } from "../processes.ts";
import { endGroup, keepGroup, newMark } from "./keeper.ts";
import { lineWriter, readLines } from "./lines.ts";
import type { Scratch } from "./scratch.ts";

/** How long after a worker's end its last output is waited for. */
const LAST_WORDS_MS = 500;
/** Room for young objects: what a run makes dies with it, so fewer and larger rounds of collection cost a run 10 % less. */
const YOUNG_MB = 32;

/** What Node.js says before it ends itself, at its last place: a pattern would look behind each one. */
function saysHeapFull(text: string): boolean {
  const at = text.lastIndexOf("FATAL ERROR: ");
  return at >= 0 && /^.*heap/.test(text.slice(at, at + 200));
}

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
  /** The folder that it fills. */
  scratch?: Scratch;
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
  readonly pid: number | undefined;
  send(message: HostMessage): void;
  /** Stops and goes on with reading what the worker tells. */
  pause(): void;
  resume(): void;
  kill(reason: string): void;
}

/** In a process group of its own, of which nothing outlives the worker, nor this process. */
export function startChild(options: ChildOptions, events: ChildEvents): Child {
  const isConfined = (options.flags?.length ?? 0) > 0;
  const mark = newMark(isConfined);
  options.scratch?.open();
  const child = spawnWorker(options, mark);
  const { pid } = child;
  if (pid !== undefined) keepGroup(pid, isConfined);
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
  let heapFull = false;
  if (child.stdout) readPaced(child.stdout, (text) => events.print("out", text));
  if (child.stderr) {
    readPaced(child.stderr, (text) => {
      heapFull ||= saysHeapFull(text);
      events.print("err", text);
    });
  }
  const unwatch = pid === undefined ? undefined : options.scratch?.watch(pid, kill);
  let ended = false;
  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    unwatch?.();
    events.exit(reason);
  };
  child.on("error", (error) => end(`it could not be started: ${error.message}`));
  const told = (code: number | null, signal: string | null): void => {
    const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
    end(killedFor ?? (signal !== null && heapFull ? heapIsFull(options.memoryMb) : ending));
  };
  // By `close` all it said has been read; a process that left the group with its output open must not hold that up.
  child.on("close", told);
  child.on("exit", (code, signal) => {
    if (pid !== undefined) endGroup(pid, mark.value);
    setTimeout(told, LAST_WORDS_MS, code, signal).unref();
  });
  return {
    pid: child.pid,
    send: lineWriter<HostMessage>(channel),
    pause: () => void channel.pause(),
    resume: () => void channel.resume(),
    kill,
  };
}

function spawnWorker(
  { main, node, folder, env, memoryMb, flags = [], user }: ChildOptions,
  mark: { name: string; value: string },
): ChildProcess {
  const heap = [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${YOUNG_MB}`, "--expose-gc"];
  return spawn(node ?? process.execPath, [...heap, "--enable-source-maps", ...flags, main], {
    cwd: folder,
    env: { ...env, [mark.name]: mark.value },
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
