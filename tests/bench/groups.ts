/**
 * Runs a benchmark's groups of measurements one after the other, each in a process of its own with a time limit. One that
 * hangs or fails ends in a line, and the others still give their figures.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endStrays } from "../../lib/drivers/processes.ts";

export type Groups = Record<string, () => Promise<void>>;

/** Longer than the slowest group takes with the default number and length of rounds on two busy cores. */
const LIMIT_SECONDS = Number(process.env.BENCH_LIMIT_SECONDS ?? 900);
const FLAG = "--group";

/** Runs the groups of `file` whose names contain the first argument of the command line, or all of them without one. */
export async function runGroups(file: string, groups: Groups, prepare: () => void): Promise<void> {
  const [chosen = "", entered = ""] = process.argv.slice(2);
  const group = groups[entered];
  if (chosen === FLAG && group) {
    await group();
    // Connections that are still open must not hold up the next group.
    process.exit(0);
  }
  const names = Object.keys(groups).filter((name) => name.includes(chosen));
  if (names.length === 0) throw new Error(`no group is called "${chosen}": ${Object.keys(groups).join("; ")}`);
  prepare();
  const failed: string[] = [];
  for (const name of names) {
    const problem = await runGroup(file, name);
    if (problem === undefined) continue;
    console.log(`group ${name}: ${problem}`);
    failed.push(name);
  }
  if (failed.length === 0) return;
  console.log(`\n${failed.length} of ${names.length} groups did not end well: ${failed.join("; ")}`);
  process.exitCode = 1;
}

/**
 * Runs a group in a process of its own, then kills whatever it has left running. Resolves with what went wrong, or with
 * `undefined`. An error's stack is printed by the group's process.
 */
async function runGroup(file: string, name: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-bench-"));
  // Deployments run as users of their own, who must be able to enter their folders.
  chmodSync(folder, 0o755);
  const group = spawn(process.execPath, [file, FLAG, name], {
    env: { ...process.env, TMPDIR: folder },
    stdio: "inherit",
    timeout: LIMIT_SECONDS * 1000,
    killSignal: "SIGKILL",
  });
  const [code, signal] = (await once(group, "exit")) as [number | null, NodeJS.Signals | null];
  // Every process of the group has inherited this variable. Workers that have not end with their server.
  await endStrays({ name: "TMPDIR", value: folder });
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  if (code === 0) return undefined;
  return group.killed
    ? `no figure within ${LIMIT_SECONDS} s`
    : `failed, its process ended with ${signal ?? `code ${code}`}`;
}
