/** Restricts access to the folder of all state. */
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const FOLDERS: Record<string, number> = {
  ...Object.fromEntries(
    ["compile-cache", "downloads", "looks", "repositories", "uploads", "work"].map((name) => [name, 0o700]),
  ),
  // Workers may pass through to their own folders, but not list these.
  deployments: 0o711,
  packages: 0o711,
  // Builds and workers run programs from here.
  tools: 0o755,
};
const PRIVATE_FILES = ["console-code", "known_hosts", "lock.sqlite", "secret"];

/** Creates the folder if it is missing, and restricts its content. An existing folder keeps its own mode. */
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
    // The path belongs to another user. An operator who shares the folder among users has set its modes.
  }
}
