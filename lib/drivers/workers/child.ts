import { type ChildProcess, spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { HostMessage, WorkerLine } from "../../protocol/worker.ts";
import { decodeWorkerLine } from "../../protocol/worker.ts";
import { lineWriter, readLines } from "./lines.ts";

/** How long after a worker's end its last output is waited for. */
const LAST_WORDS_MS = 500;
/** Room for young objects: what a run makes dies with it, so fewer and larger rounds of collection cost a run 10 % less. */
const YOUNG_MB = 32;

export interface ChildOptions {
  /** The worker's entry file. */
  main: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Ceiling of the JavaScript heap, in MB. */
  memoryMb: number;
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

export function startChild({ main, folder, env, memoryMb }: ChildOptions, events: ChildEvents): Child {
  const flags = [`--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${YOUNG_MB}`, "--enable-source-maps"];
  const child = spawn(process.execPath, [...flags, main], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let killedFor: string | undefined;
  const kill = (reason: string): void => {
    killedFor ??= reason;
    child.kill("SIGKILL");
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
  child.stderr?.setEncoding("utf8").on("data", (text: string) => events.print("err", text));
  let ended = false;
  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    events.exit(reason);
  };
  child.on("error", (error) => end(`it could not be started: ${error.message}`));
  const told = (code: number | null, signal: string | null): void =>
    end(killedFor ?? (signal === null ? `exit code ${code}` : `signal ${signal}`));
  // By `close` all it said has been read; a grandchild that keeps its output open must not hold that up.
  child.on("close", told);
  child.on("exit", (code, signal) => setTimeout(told, LAST_WORDS_MS, code, signal).unref());
  return {
    pid: child.pid,
    send: lineWriter<HostMessage>(channel),
    pause: () => void channel.pause(),
    resume: () => void channel.resume(),
    kill,
  };
}

function channelOf(child: ChildProcess): Duplex {
  const channel = child.stdio[3];
  if (channel instanceof Duplex) return channel;
  throw new Error("a worker was started without its channel");
}
