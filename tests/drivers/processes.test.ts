/** Tests that processes that code has left running are found and killed, whatever they do meanwhile. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { allProcesses } from "../../lib/drivers/process-tree.ts";
import { endStrays, endUser } from "../../lib/drivers/processes.ts";

const NAME = "GRAPHLIB_TEST_OF_PROCESSES";
/** A user without other processes on this machine. */
const UID = 2_147_000_000 + (process.pid % 100_000);
const isRoot = process.getuid?.() === 0;

/** A shell that starts another every 10 ms and ends, 500 times. */
const CHAIN = 'hop() { if [ "$1" -gt 0 ]; then sleep 0.01; hop $(($1 - 1)) & fi; }; hop 500';
/** A shell that lives as long as its input is open, which is as long as this process. */
const LASTING = "read -r nothing";
/** A shell that replaces itself with a new one 5,000 times. Each time, its environment is missing for a moment. */
const BECOMING = 'N=$((${N:-5000} - 1)); export N; [ "$N" -gt 0 ] && exec /bin/sh -c "$SCRIPT"';

const tags: string[] = [];
afterAll(() => {
  for (const pid of tags.flatMap(taggedProcesses)) process.kill(pid, "SIGKILL");
});

/** Starts a shell outside of this process's group. Resolves with its tag when it runs the script. */
async function start(script: string, user?: { uid: number; gid: number }): Promise<string> {
  const tag = randomUUID();
  tags.push(tag);
  const env = { NODE_ENV: "test", PATH: "/usr/bin:/bin", [NAME]: tag, SCRIPT: script } as const;
  const child = spawn("/bin/sh", ["-c", `echo; ${script}`], { env, ...user, detached: true });
  child.stdin.on("error", () => {
    // The shell has been killed.
  });
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.stdout.once("data", resolve);
  });
  return tag;
}

function taggedProcesses(tag: string): number[] {
  return allProcesses().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${NAME}=${tag}`);
    } catch {
      return false;
    }
  });
}

/** Returns the processes that are left. It waits for longer than a hop, so that a living chain is seen. */
async function left(tag: string): Promise<number[]> {
  const found = taggedProcesses(tag);
  await sleep(100);
  return [...found, ...taggedProcesses(tag)];
}

const ways = [
  { by: "tag", end: (tag: string) => endStrays({ name: NAME, value: tag }) },
  ...(isRoot ? [{ by: "user", user: { uid: UID, gid: UID }, end: () => endUser(UID) }] : []),
];

describe.runIf(process.platform === "linux").each(ways)("processes that are ended by $by", ({ user, end }) => {
  test("are gone when it resolves", async () => {
    const tag = await start(LASTING, user);
    expect(taggedProcesses(tag)).toHaveLength(1);
    await end(tag);
    expect(await left(tag)).toEqual([]);
  });

  test("are gone even if each starts another and ends while the list is read", async () => {
    const tag = await start(CHAIN, user);
    await sleep(50);
    await end(tag);
    expect(await left(tag)).toEqual([]);
  });

  test("are gone even if each becomes another program while it is examined", async () => {
    const started = await Promise.all(Array.from({ length: 8 }, async () => await start(BECOMING, user)));
    await Promise.all(started.map(end));
    for (const tag of started) expect(await left(tag)).toEqual([]);
  });

  test("are gone even if this process is blocked for two seconds", async () => {
    const tag = await start(LASTING, user);
    const ended = end(tag);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
    await ended;
    expect(await left(tag)).toEqual([]);
  });
});

test.runIf(isRoot)(
  "a user's processes stay when one of them is wanted again, also if that is so in mid-search",
  async () => {
    const tag = await start(LASTING, { uid: UID, gid: UID });
    let calls = 0;
    await endUser(UID, () => ++calls > 1);
    expect(taggedProcesses(tag)).toHaveLength(1);
    await endUser(UID);
    expect(await left(tag)).toEqual([]);
  },
);
