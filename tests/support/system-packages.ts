// Installs programs of the system that some tests use, where the tests run on Debian as root.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Each program, and the Debian package that holds it. */
const WANTED = [
  ["bwrap", "bubblewrap"],
  ["git-lfs", "git-lfs"],
] as const;
const LIMIT_MS = 240_000;

/** Returns whether a program of this name can be started. */
function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

export function isDebian(): boolean {
  try {
    return /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
}

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { env, stdio: "ignore", timeout: LIMIT_MS }).status === 0;
}

/** Installs missing programs where that is possible. Tests that need one that is still missing are skipped. */
function ensureSystemPackages(): void {
  const missing = WANTED.filter(([program]) => !hasProgram(program)).map(([, name]) => name);
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && isDebian()) {
    process.stdout.write(`Installing ${missing.join(" and ")}… `);
    const done = aptGet("update") && aptGet("install", "-y", "--no-install-recommends", ...missing);
    process.stdout.write(done ? "done\n" : "failed\n");
    if (done) return;
  }
  process.stdout.write(
    `Without ${missing.join(" and ")}, the tests that use it are left out: install it to run them.\n`,
  );
}

if (import.meta.main) ensureSystemPackages();
