/** Servers that share an own PostgreSQL and Redis, each at a port that it keeps when it is killed and started again. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../support/free-port.ts";
import { startNetwork } from "../support/held-network.ts";
import { startPostgres } from "../support/own-postgres.ts";
import { startRedis } from "../support/own-redis.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { startBalancer } from "./balancer.ts";

const SECRET = "a secret that all servers of the cluster have";

export interface Member {
  readonly roles: string;
  readonly url: string;
  isReady(): boolean;
  kill(): Promise<void>;
  /** Stops it as an operator does. */
  drain(): Promise<void>;
  start(): Promise<void>;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export interface ClusterOptions {
  programs: string;
  /** The roles of each server. */
  roles: readonly string[];
  app: string;
  env?: Record<string, string>;
  redis?: boolean;
}

export async function startCluster({ programs, roles, app, env = {}, redis: hasRedis = true }: ClusterOptions) {
  const postgres = await startPostgres(programs);
  const redis = hasRedis ? await startRedis() : undefined;
  const toPostgres = await startNetwork(postgres.url);
  const trace = join(mkdtempSync(join(tmpdir(), "graphlib-trace-")), "trace");
  const settings = {
    DATABASE_URL: toPostgres.url,
    DATABASE_SCHEMA: "scale",
    GRAPHLIB_SECRET: SECRET,
    RESUMABLE_STREAM_TTL_SECONDS: "900",
    TRACE_FILE: trace,
    ...(redis && { REDIS_URL: redis.url }),
    ...env,
  };
  const members: Member[] = [];
  for (const one of roles) members.push(await startMember(resolve(import.meta.dirname, "..", app), one, settings));
  const balancer = await startBalancer(members.filter((one) => one.roles.includes("api")));
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

async function startMember(app: string, roles: string, settings: Record<string, string>): Promise<Member> {
  const port = await freePort();
  const env = { ...settings, GRAPHLIB_ROLES: roles, PORT: String(port) };
  let server: TestServer | undefined;
  let home: string | undefined;
  const end = async (how: (running: TestServer) => Promise<unknown>): Promise<void> => {
    const running = server;
    server = undefined;
    if (running) await how(running);
  };
  const member: Member = {
    roles,
    url: `http://127.0.0.1:${port}`,
    isReady: () => server !== undefined,
    kill: () => end((running) => running.crash()),
    drain: () => end((running) => running.drain()),
    async start() {
      server = await startServer({ app, home, env });
      home = server.home;
    },
  };
  await member.start();
  return member;
}
