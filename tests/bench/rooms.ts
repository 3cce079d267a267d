/**
 * Runs the rooms of a benchmark one after the other. A room is a group of measurements in a process of its own with a time
 * limit. One that hangs or fails ends in a line, and the others still give their figures.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endStrays } from "../../lib/drivers/processes.ts";

export type Rooms = Record<string, () => Promise<void>>;

/** Longer than the slowest room takes with the default number and length of rounds on two busy cores. */
const LIMIT_SECONDS = Number(process.env.BENCH_LIMIT_SECONDS ?? 900);
const FLAG = "--room";

/** Runs the rooms of `file` whose names contain the first argument of the command line, or all of them without one. */
export async function runRooms(file: string, rooms: Rooms, prepare: () => void): Promise<void> {
  const [chosen = "", entered = ""] = process.argv.slice(2);
  const room = rooms[entered];
  if (chosen === FLAG && room) {
    await room();
    // Connections that are still open must not hold up the next room.
    process.exit(0);
  }
  const names = Object.keys(rooms).filter((name) => name.includes(chosen));
  if (names.length === 0) throw new Error(`no room is called "${chosen}": ${Object.keys(rooms).join("; ")}`);
  prepare();
  const failed: string[] = [];
  for (const name of names) {
    const problem = await runRoom(file, name);
    if (problem === undefined) continue;
    console.log(`room ${name}: ${problem}`);
    failed.push(name);
  }
  if (failed.length === 0) return;
  console.log(`\n${failed.length} of ${names.length} rooms did not end well: ${failed.join("; ")}`);
  process.exitCode = 1;
}

/**
 * Runs a room in a process of its own, then kills whatever it has left running. Resolves with what went wrong, or with
 * `undefined`. An error's stack is printed by the room's process.
 */
async function runRoom(file: string, name: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-bench-"));
  // Deployments run as users of their own, who must be able to enter their folders.
  chmodSync(folder, 0o755);
  const room = spawn(process.execPath, [file, FLAG, name], {
    env: { ...process.env, TMPDIR: folder },
    stdio: "inherit",
    timeout: LIMIT_SECONDS * 1000,
    killSignal: "SIGKILL",
  });
  const [code, signal] = (await once(room, "exit")) as [number | null, NodeJS.Signals | null];
  // Every process of the room has inherited this variable. Workers that have not end with their server.
  await endStrays({ name: "TMPDIR", value: folder });
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  if (code === 0) return undefined;
  return room.killed
    ? `no figure within ${LIMIT_SECONDS} s`
    : `failed, its process ended with ${signal ?? `code ${code}`}`;
}
