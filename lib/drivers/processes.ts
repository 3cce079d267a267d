/** Ends processes that code has left behind. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { allProcesses } from "./process-tree.ts";

/** What can't be killed, because it waits for a disk that does not answer, is not waited for longer. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 5;

/** All of a process group, at once. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // All of it has gone.
  }
}

/**
 * Kills all processes of a user, and resolves when none is left. They are stopped first, so that few are left to start
 * others. Only root may ask for it, and does it as root: whoever becomes that user can be killed, or stopped, by it.
 * `isKept` ends it when the user has a process again that is wanted.
 */
export async function endUser(uid: number, isKept: () => boolean = () => false): Promise<void> {
  await endAll(async () => (isKept() ? [] : await processesOf(uid)), ["SIGSTOP", "SIGKILL"]);
}

/** Signals all that `find` finds, until it finds none: one that is being killed may have started another just before. */
async function endAll(find: () => Promise<number[]>, signals: readonly NodeJS.Signals[]): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let pids = await find(); pids.length > 0 && performance.now() < until; pids = await find()) {
    for (const signal of signals) for (const pid of pids) sendTo(pid, signal);
    await sleep(PAUSE_MS);
  }
}

/** A process belongs to a user if any of its four user ids is that user's. Zombies do not count. */
async function processesOf(uid: number): Promise<number[]> {
  const owned = new RegExp(`^Uid:.*\\b${uid}\\b`, "m");
  const found: number[] = [];
  for (const pid of allProcesses()) {
    const status = await textOf(`/proc/${pid}/status`);
    if (owned.test(status) && !/^State:\s*[ZX]/m.test(status)) found.push(pid);
  }
  return found;
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone.
  }
}

const SETPRIV = "/usr/bin/setpriv";
let switching: boolean | undefined;

/** The command and options that spawn a program as another user. */
export interface AsUser {
  program: string;
  args: string[];
  /** These options go to `spawn`. */
  options: { uid?: number; gid?: number };
}

/**
 * Builds the command that runs a program as another user, some of whose processes may be alive. `spawn` changes the user before it starts the program
 * and waits for that: a process of the user that stops it in between would stop this server. A program that does it by
 * itself can only be stopped itself.
 */
export function asUser(user: { uid: number; gid: number } | undefined, program: string, args: string[]): AsUser {
  if (!user) return { program, args, options: {} };
  switching ??= spawnSync(SETPRIV, ["--reuid=65534", "--regid=65534", "--clear-groups", "true"]).status === 0;
  if (!switching) return { program, args, options: user };
  const become = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"];
  return { program: SETPRIV, args: [...become, program, ...args], options: {} };
}

/** What finds the processes of a program, wherever they have gone. */
export interface Mark {
  /** Of a variable in the environment of each. */
  name: string;
  value: string;
  /**
   * Their limit on file locks, which Linux does not enforce: a process may clear its environment, and may not raise a
   * limit again.
   */
  limit?: string;
}

/** Gives itself the limit, then becomes the program. `-x` is what bash calls it. */
const LIMITED = 'ulimit -w "$1" 2>/dev/null || ulimit -x "$1" 2>/dev/null; shift; exec "$@"';

/** The command line of a program that bears the limit of a mark. */
export function limited(
  { limit }: Mark,
  program: string,
  args: readonly string[],
): { program: string; args: string[] } {
  if (limit === undefined || process.platform !== "linux") return { program, args: [...args] };
  return { program: "/bin/sh", args: ["-c", LIMITED, "sh", limit, program, ...args] };
}

/**
 * Kills every process that bears this mark, wherever it has gone, and resolves when none is left. It works on Linux;
 * elsewhere nobody can look into another process's environment.
 */
export async function endStrays(mark: Mark): Promise<void> {
  await endAll(() => processesWith(mark), ["SIGKILL"]);
}

async function processesWith({ limit, ...variable }: Mark): Promise<number[]> {
  const entry = `\0${variable.name}=${variable.value}\0`;
  const limits = limit === undefined ? undefined : new RegExp(`^Max file locks +\\S+ +${limit} `, "m");
  const found: number[] = [];
  for (const pid of allProcesses()) {
    const isMarked =
      `\0${await textOf(`/proc/${pid}/environ`)}\0`.includes(entry) ||
      (limits?.test(await textOf(`/proc/${pid}/limits`)) ?? false);
    if (isMarked) found.push(pid);
  }
  return found;
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, "latin1").catch(() => "");
}
