import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Shown by who can read what a server without key prints, or its home: not by everybody who reaches its port. */
export function readConsoleCode(home: string): string {
  const file = join(home, "console-code");
  const known = readIfThere(file).trim();
  if (/^[\w-]{32}$/.test(known)) return known;
  const code = randomBytes(24).toString("base64url");
  // A file that is there keeps its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `${code}\n`, { mode: 0o600 });
  return code;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
