import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { childrenOf } from "../../lib/drivers/process-tree.ts";
import { isAlive } from "../support/process-tree.ts";

/** A user without other processes on this machine. */
const UID = 2_146_000_000 + (process.pid % 100_000);
/** The only child of a server that has started nothing else. */
const reaperOf = (pid: number) => childrenOf(pid)[0] ?? 0;

const started: ReturnType<typeof spawn>[] = [];
afterAll(() => started.forEach((child) => child.kill("SIGKILL")));

test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a script that was killed and restarted still ends the processes of confined users, when the server ends",
  async () => {
    const stray = spawn("sleep", ["600"], { detached: true, uid: UID, gid: UID, stdio: "ignore" });
    const worker = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    const module = JSON.stringify(new URL("../../lib/drivers/reaper.ts", import.meta.url).href);
    const script = `
      const { registerGroup } = await import(${module});
      registerGroup(${worker.pid}, { fenced: false, uid: ${UID} });
      setInterval(() => console.log(Date.now()), 20);
    `;
    const server = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let turn = 0;
    server.stdout.on("data", (lines: Buffer) => (turn = Number(lines.toString().trim().split("\n").at(-1))));
    started.push(stray, worker, server);
    const { pid = 0 } = server;
    await expect.poll(() => reaperOf(pid), { timeout: 20_000 }).not.toBe(0);
    const first = reaperOf(pid);
    process.kill(first, "SIGKILL");
    await expect.poll(() => [0, first].includes(reaperOf(pid)), { timeout: 20_000 }).toBe(false);
    // The new script is seen before the server has written to it, which it does in the same turn of its event loop.
    const seen = Date.now();
    await expect.poll(() => turn, { timeout: 20_000 }).toBeGreaterThan(seen);
    server.kill("SIGKILL");
    await once(server, "exit");
    const isLeft = (child: typeof stray) => child.pid !== undefined && isAlive(child.pid);
    await expect.poll(() => [worker, stray].map(isLeft), { timeout: 20_000 }).toEqual([false, false]);
  },
);
