import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CODE_LENGTH = 32;

/**
 * Returns the sign-in code of a server without a key; creates it first. Only those who can read the server's output or
 * its home folder know the code, and not everybody who can reach its port.
 */
export function readConsoleCode(home: string): string {
  const file = join(home, "console-code");
  const known = readIfThere(file).trim();
  if (/^[\w-]{32}$/.test(known)) return known;
  const code = randomBytes(24).toString("base64url");
  // Writing to an existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `${code}\n`, { mode: 0o600 });
  return code;
}

/** Returns the sign-in code of servers without a key that share a database and this secret. */
export function consoleCodeOf(secret: string): string {
  return createHmac("sha256", secret).update("console code").digest("base64url").slice(0, CODE_LENGTH);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
