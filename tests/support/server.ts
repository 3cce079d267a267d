import { type ChildProcess, spawn } from "node:child_process";
import { chown, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

/** A production server of this project in its own process, with its own home folder. */
export interface TestServer {
  /** The address, without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  /** Everything that the server and its worker have printed so far. */
  output(): string;
  /** The part of it that went to the error output. */
  errors(): string;
  /** Calls the listener with everything printed from here on. Returns a function that removes it. */
  onWrite(listener: (text: string, to: "output" | "errors") => void): () => void;
  /** Closes the reading end of the output, as a terminal that is closed does. */
  closeOutput(): void;
  /** Sends SIGTERM and deletes the home; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGTERM and leaves the home for a server that takes over; resolves with the exit code. */
  drain(): Promise<number | null>;
  /** Sends SIGKILL and leaves the home for a server that takes over. */
  crash(): Promise<void>;
}

export interface TestServerOptions {
  /** Folder of the application; this project's own graphs when left out. */
  app?: string;
  env?: Record<string, string>;
  /** The home of a server that has ended; a new one when left out. */
  home?: string;
  /** The folder of the project, with its packages and built; this one when left out. */
  root?: string;
  /** The user who runs the server, when the tests run as root; the tests' own user when left out. */
  user?: { uid: number; gid: number };
}

/** The user `nobody`, who owns nothing and has this number on Debian and macOS. */
export const ORDINARY_USER = { uid: 65_534, gid: 65_534 };

const ownRoot = resolve(import.meta.dirname, "../..");
/** The arguments with which `npm start` starts it. */
const [, ...startArguments] = packageJson.scripts.start.split(" ");
const READY_MS = 60_000;

/**
 * Starts a server on a free port of 127.0.0.1. Resolves when `GET /ok` succeeds or states that the server has failed.
 */
export async function startServer({
  app,
  env = {},
  home,
  root = ownRoot,
  user,
}: TestServerOptions = {}): Promise<TestServer> {
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

/** The compile cache that servers and workers of tests share: a start with it takes 4 s of processor time, not 6. */
function cacheOf(user: TestServerOptions["user"]): string {
  return join(ownRoot, "node_modules/.cache/test-servers", String(user?.uid ?? process.getuid?.() ?? 0));
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

/** The environment without variables that would change the server's behaviour. */
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
