/** Limits the disk space and the memory of a command while it runs. */
import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { StepFailure } from "../engine/ports/builds.ts";
import { allProcesses } from "./process-tree.ts";

/** The time before the first check. No command fills a disk or the memory faster. */
const FIRST_CHECK_MS = 500;
/** The largest share of time that checks may take. */
const SHARE = 1 / 10;

const MB = 1024 * 1024;

/** Formats a size for people. */
export function sizeText(bytes: number): string {
  const [size, unit] = bytes >= 1024 * MB ? [bytes / (1024 * MB), "GB"] : [bytes / MB, "MB"];
  return `${Number(size.toPrecision(2))} ${unit}`;
}

export interface UsageLimits {
  /** Name of the command, for people. */
  name: string;
  /** Id of the process group. */
  pid: number;
  folder: string;
  diskBytes: number;
  /** Limit for all processes of the group together. */
  memoryBytes: number;
}

export interface UsageWatch {
  /** Checks the disk once more if the command ran long enough to fill it. Rejects if it exceeds a limit. */
  finish(): Promise<void>;
  close(): void;
}

/** Calls `exceeded` once, when the command exceeds a limit. */
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
    fix: "Make its work smaller, or ask the server's operator to give builds more memory",
  });
}

export function tooLarge(message: string): StepFailure {
  return new StepFailure(message, { fix: "Leave out large files and packages that the graphs don't need" });
}

/**
 * Returns the bytes on the disk. A process of `du` counts them, which takes 0.3 s for 100,000 files. Files that it
 * cannot read are not counted.
 */
export function folderSize(folder: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    execFile("nice", ["-n", "10", "du", "-sk", "--", folder], { signal }, (_, stdout) => {
      resolve((Number.parseInt(stdout, 10) || 0) * 1024);
    });
  });
}

/**
 * Returns bytes and files below a folder that untrusted code has filled. If the code has closed folders and this server
 * is not root, they are opened and counted again, because what cannot be read does not count.
 */
export async function countFolder(folder: string): Promise<{ bytes: number; files: number }> {
  const [bytes, files] = await Promise.all([du(["-sk"], folder), du(["-s", "--inodes"], folder)]);
  if (!bytes.isClosed && !files.isClosed) return { bytes: bytes.total * 1024, files: files.total };
  await run(["chmod", "-R", "u+rwX", "--", folder]);
  const [again, all] = await Promise.all([du(["-sk"], folder), du(["-s", "--inodes"], folder)]);
  return { bytes: again.total * 1024, files: all.total };
}

/** The total is 0 if this `du` does not have an option. */
async function du(options: string[], folder: string): Promise<{ total: number; isClosed: boolean }> {
  const { printed, isClosed } = await run(["du", ...options, "--", folder]);
  return { total: Number.parseInt(printed, 10) || 0, isClosed };
}

/** Runs a command. Its error output is not kept, because untrusted files can make it very long. */
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

/** Returns the resident bytes of a process group; 0 on systems without `/proc`. */
async function groupMemory(group: number): Promise<number> {
  let bytes = 0;
  for (const pid of allProcesses()) {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
    // After the program's name, which is in parentheses and may contain any character: state, parent, group.
    const [, , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(member) !== group) continue;
    const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
    bytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes;
}
