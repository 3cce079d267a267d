/** The folder of all state: what in it is nobody else's to read. */
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const FOLDERS: Record<string, number> = {
  ...Object.fromEntries(
    ["compile-cache", "downloads", "looks", "repositories", "uploads", "work"].map((name) => [name, 0o700]),
  ),
  // Workers pass through, to what is theirs; nobody lists them.
  deployments: 0o711,
  packages: 0o711,
  // Programs for builds and workers.
  tools: 0o755,
};
const PRIVATE_FILES = ["console-code", "known_hosts", "lock.sqlite", "secret"];

/** Makes it where it is missing. A home that is there already keeps its own mode. */
export function openHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  for (const [name, mode] of Object.entries(FOLDERS)) {
    mkdirSync(join(home, name), { recursive: true });
    restrict(join(home, name), mode);
  }
  for (const name of PRIVATE_FILES) if (existsSync(join(home, name))) restrict(join(home, name), 0o600);
}

function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Another user's: who shares a home among users has seen to what they may read.
  }
}
