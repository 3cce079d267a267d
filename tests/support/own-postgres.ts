import { execFileSync } from "node:child_process";
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** A PostgreSQL of a test, with data of its own. */
export interface OwnPostgres {
  readonly url: string;
  /** The id of its first process. */
  pid(): number;
  start(): void;
  /** Ends it: `fast` rolls back what is under way, `immediate` is like a crash. */
  stop(how: "fast" | "immediate"): void;
  /** Ends it, and removes its data. */
  remove(): void;
}

const POSTGRES = "postgres";

/** Returns the folder of PostgreSQL's programs; warns and returns undefined where it is not installed. */
export function findPostgresPrograms(): string | undefined {
  const [newest] = globSync("/usr/lib/postgresql/*/bin/initdb").toSorted().toReversed();
  if (newest !== undefined) return join(newest, "..");
  console.warn("PostgreSQL is not installed: the tests that start one did not run.");
  return undefined;
}

/**
 * Makes a cluster on a free port of this machine. It keeps its promises about the disk, because it is killed. `more` are lines
 * of its configuration.
 */
export async function startPostgres(programs: string, more: readonly string[] = []): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-postgres-"));
  const port = await freePort();
  const user = userOf(folder);
  const run = (program: string, ...args: string[]): void =>
    void execFileSync(join(programs, program), args, { ...user, stdio: "ignore", cwd: folder });
  run("initdb", "--pgdata", join(folder, "data"), "--auth", "trust", "--username", POSTGRES, "--encoding", "UTF8");
  const settings = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    "max_connections = 200",
    ...more,
  ];
  writeFileSync(join(folder, "data", "postgresql.auto.conf"), `${settings.join("\n")}\n`);
  const control = (...args: string[]): void => run("pg_ctl", "--pgdata", join(folder, "data"), "--wait", ...args);
  let isRunning = false;
  const own: OwnPostgres = {
    url: `postgres://${POSTGRES}@127.0.0.1:${port}/postgres`,
    pid: () => Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10),
    start() {
      control("--log", join(folder, "log"), "start");
      isRunning = true;
    },
    stop(how) {
      control("--mode", how, "stop");
      isRunning = false;
    },
    remove() {
      if (isRunning) own.stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  own.start();
  return own;
}

/** PostgreSQL refuses to be root. Then its own user runs it. */
function userOf(folder: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string): number => Number(execFileSync("id", [kind, POSTGRES], { encoding: "utf8" }));
  const user = { uid: idOf("-u"), gid: idOf("-g") };
  chownSync(folder, user.uid, user.gid);
  return user;
}
