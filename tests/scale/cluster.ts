/** Servers that share an own PostgreSQL and Redis, each at a port that it keeps when it is killed and started again. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../support/free-port.ts";
import { startNetwork } from "../support/held-network.ts";
import { startPostgres } from "../support/own-postgres.ts";
import { startRedis } from "../support/own-redis.ts";
import { startServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { startBalancer } from "./balancer.ts";

const SECRET = "a secret that all servers of the cluster have";

export interface Member {
  readonly roles: string;
  readonly url: string;
  /** The id of its process; undefined while it is down. */
  pid(): number | undefined;
  kill(): Promise<void>;
  /** Stops it as an operator does. */
  drain(): Promise<void>;
  /** Starts it again, from this folder of the project. */
  start(): Promise<void>;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export interface ClusterOptions {
  programs: string;
  /** The roles of each server. A server without any is alone. */
  roles: readonly string[];
  /** The folder of the application in `tests`. */
  app: string;
  env?: Record<string, string>;
  /** The variables of one server alone. */
  envOf?: (server: number) => Record<string, string>;
  redis?: boolean;
  /** The folder of the project from which servers are started first; this one when left out. */
  root?: string;
  /** Servers reach PostgreSQL without the network that can be broken, which takes time of its own. */
  direct?: boolean;
  /** Lines of PostgreSQL's configuration. */
  postgresSettings?: readonly string[];
}

export async function startCluster({
  programs,
  roles,
  app,
  env = {},
  envOf = () => ({}),
  redis: hasRedis = true,
  root,
  direct = false,
  postgresSettings,
}: ClusterOptions) {
  const postgres = await startPostgres(programs, postgresSettings);
  const redis = hasRedis ? await startRedis() : undefined;
  const toPostgres = await startNetwork(postgres.url);
  const trace = join(mkdtempSync(join(tmpdir(), "graphlib-trace-")), "trace");
  const settings = {
    DATABASE_URL: (direct ? postgres : toPostgres).url,
    DATABASE_SCHEMA: "scale",
    GRAPHLIB_SECRET: SECRET,
    RESUMABLE_STREAM_TTL_SECONDS: "900",
    TRACE_FILE: trace,
    ...(redis && { REDIS_URL: redis.url }),
    ...env,
  };
  const members: Member[] = [];
  for (const [n, one] of roles.entries()) {
    const own = { ...settings, ...envOf(n), ...(one !== "" && { GRAPHLIB_ROLES: one }) };
    members.push(await startMember(one, { app: resolve(import.meta.dirname, "..", app), root, env: own }));
  }
  const balancer = await startBalancer(members.filter((one) => one.roles === "" || one.roles.includes("api")));
  return {
    postgres,
    redis,
    toPostgres,
    trace,
    members,
    balancer,
    async close(): Promise<void> {
      await balancer.close();
      await Promise.all(members.map((one) => one.kill()));
      toPostgres.close();
      postgres.remove();
      await redis?.remove();
    },
  };
}

async function startMember(roles: string, { env, root: first, ...options }: TestServerOptions): Promise<Member> {
  const port = await freePort();
  let server: TestServer | undefined;
  let home: string | undefined;
  const start = async (root?: string): Promise<void> => {
    server = await startServer({ ...options, root, home, env: { ...env, PORT: String(port) } });
    home = server.home;
  };
  const end = async (how: (running: TestServer) => Promise<unknown>): Promise<void> => {
    const running = server;
    server = undefined;
    if (running) await how(running);
  };
  const member: Member = {
    roles,
    url: `http://127.0.0.1:${port}`,
    pid: () => server?.pid,
    kill: () => end((running) => running.crash()),
    drain: () => end((running) => running.drain()),
    start: () => start(),
  };
  await start(first);
  return member;
}
