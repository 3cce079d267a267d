/**
 * A program with every kind of child process that a build could leave behind, and checks whether processes are alive.
 */
import { readFileSync } from "node:fs";
import { allProcesses } from "../../lib/drivers/process-tree.ts";

const STAY = `process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {}); setInterval(() => {}, 1000);`;

/** A script for `node -e`. It prints a line of process ids (its own and those of four children) and ignores SIGTERM. */
const STUBBORN_TREE = `
const { spawn } = require("node:child_process");
const stay = ${JSON.stringify(STAY)};
const start = (options) => {
  const child = spawn(process.execPath, ["-e", stay + "console.log(0)"], { stdio: ["ignore", "pipe", "inherit"], ...options });
  child.unref();
  return child;
};
const open = start({ stdio: ["ignore", "inherit", "inherit"] });
const silent = start({ stdio: "ignore" });
const away = start({ stdio: "ignore", detached: true });
const awayOpen = start({ stdio: ["ignore", "inherit", "inherit"], detached: true });
process.on("SIGTERM", () => {});
setTimeout(() => console.log("pids " + [process.pid, open.pid, silent.pid, away.pid, awayOpen.pid].join(" ")), 300);
`;

/** The same script, but it ends by itself and leaves its children. */
export const LEAVING_TREE = `${STUBBORN_TREE}; setTimeout(() => process.exit(3), 400);`;
export const STAYING_TREE = `${STUBBORN_TREE}; setInterval(() => {}, 1000);`;

export function pidsIn(lines: readonly string[]): number[] | undefined {
  const line = lines.find((text) => text.startsWith("pids "));
  return line?.slice("pids ".length).split(" ").map(Number);
}

/** A flag of the Linux kernel: the process is being taken down and runs no more code. */
const PF_EXITING = 0x4;

/** Returns whether a process runs. Zombies and processes that the kernel is taking down do not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", , , , , , flags] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return !/^[ZX]/.test(state) && (Number(flags) & PF_EXITING) === 0;
  } catch {
    return false;
  }
}

/** A process with its start time, which distinguishes it from a later process of the same id. */
export interface ProcessIdentity {
  pid: number;
  command: string;
  began: string;
}

/** Returns the descendants of a process whose parents are still alive (Linux). */
export function descendantsOf(pid: number): ProcessIdentity[] {
  const all = allProcesses().flatMap((one) => {
    const found = statOf(one);
    return found && found.state !== "Z" ? [found] : [];
  });
  const below = (parent: number): ProcessIdentity[] =>
    all.flatMap((one) => (one.parent === parent ? [one, ...below(one.pid)] : []));
  return below(pid).map((one) => ({ pid: one.pid, command: one.command, began: one.began }));
}

export function isStillThere({ pid, began }: ProcessIdentity): boolean {
  const found = statOf(pid);
  return found?.began === began && !/[ZX]/.test(found.state);
}

function statOf(pid: number): (ProcessIdentity & { parent: number; state: string }) | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent = "", ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 120);
    return { pid, state, parent: Number(parent), command, began: rest[17] ?? "" };
  } catch {
    return undefined;
  }
}
