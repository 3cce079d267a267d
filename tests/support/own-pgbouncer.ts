import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** A PgBouncer of a test, which gives each transaction another connection to the database. */
export interface OwnPgBouncer {
  /** The address of the database through it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The connections that all clients share. */
const POOL = 4;

/** Returns whether PgBouncer can be started; warns if not. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync("pgbouncer", ["--version"]);
    return true;
  } catch {
    console.warn("pgbouncer is not installed: the tests behind a pooler did not run.");
    return false;
  }
}

/** Starts it on a free port of this machine, in front of this database. */
export async function startPgBouncer(database: string): Promise<OwnPgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-pgbouncer-"));
  const { hostname, port, username, password } = new URL(database);
  const own = await freePort();
  const secret = password === "" ? "" : ` password=${decodeURIComponent(password)}`;
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${secret}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${POOL}`,
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, settings.join("\n"));
  // It refuses to be root, so the other user has to read the file.
  chmodSync(folder, 0o755);
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const program = spawn("pgbouncer", [...asUser, file], { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  for await (const text of program.stderr) {
    printed += String(text);
    if (/process up/.test(printed)) break;
  }
  if (!/process up/.test(printed)) throw new Error(`pgbouncer did not start: ${printed}`);
  const url = new URL(database);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    async stop() {
      program.kill("SIGKILL");
      if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
