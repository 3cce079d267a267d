/** What a command takes of disk and memory, looked at while it runs. */
import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { StepFailure } from "../engine/ports/builds.ts";
import { allProcesses } from "./process-tree.ts";

/** Nothing fills a disk or the memory before this. */
const FIRST_CHECK_MS = 500;
/** Looking takes at most this part of the time. */
const SHARE = 1 / 10;

const MB = 1024 * 1024;

/** In words for people. */
export function sizeText(bytes: number): string {
  const [size, unit] = bytes >= 1024 * MB ? [bytes / (1024 * MB), "GB"] : [bytes / MB, "MB"];
  return `${Number(size.toPrecision(2))} ${unit}`;
}

export interface UsageLimits {
  /** Of the command, for people. */
  name: string;
  /** Process group. */
  pid: number;
  folder: string;
  diskBytes: number;
  /** Of all processes of the group together. */
  memoryBytes: number;
}

export interface UsageWatch {
  /** Looks at the disk once more, where the command ran long enough to fill it; rejects with what is too much. */
  finish(): Promise<void>;
  close(): void;
}

/** Calls back, once, with what the command takes too much of. */
export function watchUsage(limits: UsageLimits, exceeded: (failure: StepFailure) => void): UsageWatch {
  const closed = new AbortController();
  let hasChecked = false;
  let timer = setTimeout(() => void check(), FIRST_CHECK_MS);
  const check = async (): Promise<void> => {
    hasChecked = true;
    const begun = performance.now();
    const failure = (await memoryProblem(limits)) ?? (await diskProblem(limits, closed.signal));
    if (closed.signal.aborted) return;
    if (failure) exceeded(failure);
    else timer = setTimeout(() => void check(), Math.max(FIRST_CHECK_MS, (performance.now() - begun) / SHARE));
  };
  const close = (): void => {
    clearTimeout(timer);
    closed.abort();
  };
  return {
    close,
    async finish() {
      close();
      if (!hasChecked) return;
      const failure = await diskProblem(limits, new AbortController().signal);
      if (failure) throw failure;
    },
  };
}

async function diskProblem(limits: UsageLimits, signal: AbortSignal): Promise<StepFailure | undefined> {
  const { name, folder, diskBytes } = limits;
  const bytes = await folderSize(folder, signal);
  return bytes > diskBytes ? tooLarge(`${name} filled its folder with more than ${sizeText(diskBytes)}`) : undefined;
}

async function memoryProblem({ name, pid, memoryBytes }: UsageLimits): Promise<StepFailure | undefined> {
  if ((await groupMemory(pid)) <= memoryBytes) return undefined;
  return new StepFailure(`${name} used more than ${sizeText(memoryBytes)} of memory`, {
    fix: "Make what it has to do smaller, or let whoever runs this server give builds more memory",
  });
}

export function tooLarge(message: string): StepFailure {
  return new StepFailure(message, { fix: "Leave out large files and packages that the graphs don't need" });
}

/**
 * Bytes on the disk, as `du` counts them: 100,000 files take it 0.3 s, in a process of its own. What can't be counted is
 * no hindrance.
 */
export function folderSize(folder: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    execFile("nice", ["-n", "10", "du", "-sk", "--", folder], { signal }, (_, stdout) => {
      resolve((Number.parseInt(stdout, 10) || 0) * 1024);
    });
  });
}

/**
 * Bytes and files below a folder that strangers have filled. Folders that they closed are opened first where this server is
 * not root: what can't be read would not count.
 */
export async function countFolder(folder: string): Promise<{ bytes: number; files: number }> {
  const [bytes, files] = await Promise.all([du(["-sk"], folder), du(["-s", "--inodes"], folder)]);
  if (!bytes.isClosed && !files.isClosed) return { bytes: bytes.total * 1024, files: files.total };
  await run(["chmod", "-R", "u+rwX", "--", folder]);
  const [again, all] = await Promise.all([du(["-sk"], folder), du(["-s", "--inodes"], folder)]);
  return { bytes: again.total * 1024, files: all.total };
}

/** 0 where this `du` has no such option. */
async function du(options: string[], folder: string): Promise<{ total: number; isClosed: boolean }> {
  const { printed, isClosed } = await run(["du", ...options, "--", folder]);
  return { total: Number.parseInt(printed, 10) || 0, isClosed };
}

/** What it complains of is not kept: strangers can give it as much of that as they like. */
function run(command: readonly string[]): Promise<{ printed: string; isClosed: boolean }> {
  const program = spawn("env", ["LC_ALL=C", "nice", "-n", "10", ...command], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let isClosed = false;
  program.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  program.stderr.setEncoding("utf8").on("data", (text: string) => (isClosed ||= text.includes("Permission denied")));
  return new Promise((resolve) => {
    const end = (): void => resolve({ printed, isClosed });
    program.once("error", end).once("close", end);
  });
}

/** Resident bytes of a process group; 0 where there is no /proc. */
async function groupMemory(group: number): Promise<number> {
  let bytes = 0;
  for (const pid of allProcesses()) {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
    // After the program's name, in parentheses and with anything in it: state, parent, group.
    const [, , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(member) !== group) continue;
    const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
    bytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes;
}
