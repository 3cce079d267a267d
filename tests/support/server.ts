import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

/** A production server of this project in a process of its own, with a home of its own. */
export interface TestServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  /** What it and its worker have printed so far. */
  output(): string;
  /** What of it went to the error output. */
  errors(): string;
  /** Is told from here on what they print. Returns a function that ends that. */
  onWrite(listener: (text: string, to: "output" | "errors") => void): () => void;
  /** Stops reading what it prints, as a terminal does that is closed. */
  closeOutput(): void;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGTERM, but the home stays, for a server that takes over; resolves with the exit code. */
  drain(): Promise<number | null>;
  /** SIGKILL: the home stays, for a server that takes over. */
  crash(): Promise<void>;
}

export interface TestServerOptions {
  /** Folder of the application; this project's own graphs when left out. */
  app?: string;
  env?: Record<string, string>;
  /** Of a server that has ended; a new one when left out. */
  home?: string;
  /** Whose process the server is, where the tests run as root; the tests' own user when left out. */
  user?: { uid: number; gid: number };
}

/** `nobody`: a user who owns nothing, and whom Debian and macOS know by this number. */
export const ORDINARY_USER = { uid: 65_534, gid: 65_534 };

const root = resolve(import.meta.dirname, "../..");
/** As `npm start` starts it. */
const [, ...startArguments] = packageJson.scripts.start.split(" ");
const READY_MS = 60_000;

/** Starts a server on a free port of 127.0.0.1; resolves when `GET /ok` answers, or when it says it cannot serve. */
export async function startServer({ app, env = {}, home, user }: TestServerOptions = {}): Promise<TestServer> {
  const folder = home ?? (await newHome(user));
  const child = spawn(process.execPath, startArguments, {
    cwd: root,
    ...user,
    env: {
      ...inherited(),
      ...(user && { HOME: folder }),
      PORT: "0",
      NODE_COMPILE_CACHE: join(cacheOf(user), "server"),
      GRAPHLIB_HOME: folder,
      ...(app ? { GRAPHLIB_APP: app } : {}),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { output: "", errors: "" };
  const listeners = new Set<Parameters<TestServer["onWrite"]>[0]>();
  for (const to of ["output", "errors"] as const) {
    child[to === "errors" ? "stderr" : "stdout"].setEncoding("utf8").on("data", (text: string) => {
      written.output += text;
      if (to === "errors") written.errors += text;
      for (const listener of listeners) listener(text, to);
    });
  }
  const output = (): string => written.output;
  const url = await announced(child, output);
  await served(url, child, output);
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return await ended;
  };
  return {
    url,
    pid: child.pid ?? 0,
    home: folder,
    output,
    errors: () => written.errors,
    onWrite(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    async stop() {
      const code = child.exitCode ?? (await end("SIGTERM"));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      return code;
    },
    drain: () => end("SIGTERM"),
    async crash() {
      await end("SIGKILL");
    },
  };
}

/** Compiled code that servers and workers of earlier tests have left: a start with it takes 4 s of processor time, not 6. */
function cacheOf(user: TestServerOptions["user"]): string {
  return join(root, "node_modules/.cache/test-servers", String(user?.uid ?? process.getuid?.() ?? 0));
}

async function newHome(user: TestServerOptions["user"]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "graphlib-test-"));
  const cache = cacheOf(user);
  for (const name of ["server", "workers"]) await mkdir(join(cache, name), { recursive: true });
  if (user)
    for (const path of [home, join(cache, "server"), join(cache, "workers")]) await chown(path, user.uid, user.gid);
  await symlink(join(cache, "workers"), join(home, "compile-cache"), "junction");
  return home;
}

/** The environment without what would change how the server behaves. */
function inherited(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(GRAPHLIB_|DATABASE_|AGENT_MODEL$|OPENAI_|ANTHROPIC_|PORT$|HOST$|PUBLIC_URL$|NODE_ENV$|VITEST)/.test(name),
  );
  return { ...Object.fromEntries(kept), NODE_ENV: "production" };
}

async function announced(child: ChildProcess, output: () => string): Promise<string> {
  return await new Promise((found, failed) => {
    const look = (): void => {
      const url = /Console\s+(http:\/\/[^\s/]+)/.exec(output())?.[1];
      if (url) found(url.replace("localhost", "127.0.0.1"));
    };
    child.stdout?.on("data", look);
    child.once("exit", (code) => failed(new Error(`the server ended with code ${code}:\n${output()}`)));
  });
}

async function served(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/ok`);
    if (answer.ok) return;
    const { status } = (await answer.json()) as { status: string };
    if (status === "failed") return;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error(`the server did not become ready:\n${output()}`);
}
