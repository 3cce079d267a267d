import { type ChildProcess, spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import { heapIsFull } from "../../rules/workers/resident-memory.ts";
import type { Wrap } from "../fence/fence.ts";
import { fencedEnding, programIn } from "../fence/inside.ts";
import { readPaced } from "../paced.ts";
import { asUser, killGroup, withLimit, type ProcessTag } from "../processes.ts";
import { openChannel, type WorkerChannel } from "./channel.ts";
import { endGroup, registerGroup, newTag } from "../reaper.ts";
import type { Scratch } from "./scratch.ts";

/** The time to wait for the last output after a worker's end. */
const OUTPUT_WAIT_MS = 500;
/** Memory for young objects. Objects of a run die with it, so fewer and larger collections make a run 10 % cheaper. */
const YOUNG_MB = 32;

/** Returns whether Node.js reports a full heap, by its last fatal error. A pattern would search after each of them. */
function reportsFullHeap(text: string): boolean {
  const at = text.lastIndexOf("FATAL ERROR: ");
  return at >= 0 && /^.*heap/.test(text.slice(at, at + 200));
}

export interface ChildOptions {
  /** The worker's entry file. */
  main: string;
  /** The Node.js that runs it; that of the server when left out. */
  node?: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Limit of the JavaScript heap, in MB. */
  memoryMb: number;
  /** Flags of Node's permission model; none for unrestricted code. */
  flags?: readonly string[];
  /** The user as which the process runs; the server's own when left out. */
  user?: { uid: number; gid: number };
  /** Puts the process behind a fence, if there is one. */
  wrap?: Wrap;
  /** The folder that the process writes to. */
  scratch?: Scratch;
}

export interface ChildEvents {
  /** Receives messages that arrived together, in order. Throws `BadLine` for one that is not allowed there. */
  messages(messages: readonly WorkerLine[]): void;
  /** Called when the process has read all that was sent. */
  drained(): void;
  print(from: "out" | "err", text: string): void;
  /** Called once, after the last message. */
  exit(reason: string): void;
}

/** One worker process from its start to its end. */
export interface Child extends WorkerChannel {
  /** Id of the spawned process, from which all others of the worker descend. */
  readonly rootPid: number | undefined;
  /** Id of the Node.js process, as the server sees it. */
  readonly pid: number | undefined;
  kill(reason: string): void;
}

/** Starts a worker in a process group of its own. The group ends with the worker, and with this process. */
export function startChild(options: ChildOptions, events: ChildEvents): Child {
  const tag = newTag();
  options.scratch?.open();
  const child = spawnWorker(options, tag);
  const { pid } = child;
  const fenced = options.wrap !== undefined;
  if (pid !== undefined) registerGroup(pid, isConfined(options) ? { fenced, uid: options.user?.uid } : undefined);
  let killedFor: string | undefined;
  const kill = (reason: string): void => {
    killedFor ??= reason;
    if (pid !== undefined) killGroup(pid);
  };
  const channel = openChannel(channelOf(child), {
    messages: (messages) => events.messages(messages),
    drained: () => events.drained(),
    broken: kill,
  });
  let heapFull = false;
  if (child.stdout) readPaced(child.stdout, (text) => events.print("out", text));
  if (child.stderr) {
    readPaced(child.stderr, (text) => {
      heapFull ||= reportsFullHeap(text);
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
  const handleEnd = (...how: [code: number | null, signal: string | null]): void => {
    if (!ended) channel.finish();
    const { code, signal } = fenced ? fencedEnding(...how) : { code: how[0], signal: how[1] };
    const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
    end(killedFor ?? (signal !== null && heapFull ? heapIsFull(options.memoryMb) : ending));
  };
  // At `close`, all output has been read. A process that left the group may keep the output open, hence the timeout.
  child.on("close", handleEnd);
  child.on("exit", (code, signal) => {
    if (pid !== undefined) endGroup(pid, tag);
    setTimeout(handleEnd, OUTPUT_WAIT_MS, code, signal).unref();
  });
  return {
    ...channel,
    rootPid: pid,
    get pid() {
      return pid !== undefined && fenced ? programIn(pid) : pid;
    },
    kill,
  };
}

function isConfined({ flags = [], wrap }: ChildOptions): boolean {
  return flags.length > 0 || wrap !== undefined;
}

function spawnWorker(options: ChildOptions, tag: ProcessTag): ChildProcess {
  const { main, node = process.execPath, folder, env, memoryMb, flags = [], user, wrap } = options;
  const heap = [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${YOUNG_MB}`, "--expose-gc"];
  const args = [...heap, "--enable-source-maps", ...flags, main];
  const command = { program: node, args, env: { ...env, [tag.name]: tag.value }, cwd: folder };
  const confined = wrap?.(command) ?? (isConfined(options) ? { ...command, ...withLimit(tag, node, args) } : command);
  // Fenced processes of this user cannot signal the one that `spawn` starts, so `spawn` may change the user itself.
  const spawned = asUser(wrap ? undefined : user, confined.program, confined.args);
  return spawn(spawned.program, spawned.args, {
    cwd: folder,
    env: confined.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    ...(wrap ? user : spawned.options),
  });
}

function channelOf(child: ChildProcess): Duplex {
  const channel = child.stdio[3];
  if (channel instanceof Duplex) return channel;
  throw new Error("a worker was started without its channel");
}
