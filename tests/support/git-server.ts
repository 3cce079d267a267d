/** Real repositories, served over HTTP by `git http-backend` behind a small server. */
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";

const BACKEND = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
const PERSON = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
};

/** Runs git in a folder, without the settings of this machine. */
export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, ...PERSON, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    env,
    stdio: ["pipe", "pipe", "pipe"],
  }).trim();
}

/** The text of each file, or the target of a symbolic link. */
export type Files = Record<string, string | { link: string }>;

export function write(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    rmSync(join(folder, path), { force: true });
    if (typeof content === "string") writeFileSync(join(folder, path), content);
    else symlinkSync(content.link, join(folder, path));
  }
}

/** Random text, which git cannot compress. */
export function noise(bytes: number): string {
  return randomBytes(bytes / 2).toString("hex");
}

/** Creates a repository with a work tree and one commit. */
export function makeRepository(folder: string, files: Files, message = "first"): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  return commit(folder, files, message);
}

/** Commits these files and returns the commit's SHA. */
export function commit(folder: string, files: Files, message: string): string {
  write(folder, files);
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--allow-empty", "-m", message);
  return git(folder, "rev-parse", "HEAD");
}

/** Creates a branch whose one commit holds only these files, and returns its name. */
export function branch(folder: string, name: string, files: Files): string {
  git(folder, "checkout", "--quiet", "--orphan", name);
  git(folder, "rm", "-rfq", "--ignore-unmatch", ".");
  commit(folder, files, name);
  return name;
}

export interface GitServer {
  /** The origin, without a trailing slash. */
  origin: string;
  port: number;
  /** Method and path of each request. */
  requests: string[];
  /** Bytes of all response bodies. */
  sent: number;
  /** Answers a request in place of git, when it returns true. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Calls `go` when a request may be answered. Every request is answered at once when left out. */
  hold?: (path: string, go: () => void) => void;
  close(): Promise<void>;
}

export interface GitServerOptions {
  /** `user:password` that every request must carry. */
  auth?: string;
  /** Serves over HTTPS. */
  tls?: { key: Buffer; cert: Buffer };
}

/** Serves the repositories below a folder, at their paths. */
export async function serveGit(root: string, { auth, tls }: GitServerOptions = {}): Promise<GitServer> {
  const wanted = auth === undefined ? undefined : `Basic ${Buffer.from(auth).toString("base64")}`;
  const answer: RequestListener = (request, response) => {
    served.requests.push(`${request.method} ${request.url}`);
    if (served.before?.(request, response)) return;
    if (wanted !== undefined && request.headers.authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const go = (): void => backend(root, request, response, (bytes) => (served.sent += bytes));
    if (served.hold) served.hold(request.url ?? "", go);
    else go();
  };
  const http: Server = tls ? createSecureServer(tls, answer) : createServer(answer);
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  const { port } = http.address() as AddressInfo;
  const served: GitServer = {
    origin: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    requests: [],
    sent: 0,
    close() {
      http.closeAllConnections();
      return new Promise((closed) => http.close(() => closed()));
    },
  };
  return served;
}

function backend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  sent: (bytes: number) => void,
): void {
  const url = new URL(request.url ?? "/", "http://here");
  const headers = request.headers;
  const child = spawn(BACKEND, [], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      GIT_CONFIG_KEY_1: "uploadpack.allowFilter",
      GIT_CONFIG_VALUE_1: "true",
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    },
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on("data", (bytes: Buffer) => {
    sent(bytes.length);
    if (response.headersSent) return void response.write(bytes);
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const lines = head
      .toString("latin1", 0, end)
      .split("\r\n")
      .map((line) => line.split(": "));
    const status = lines.find(([name]) => name === "Status")?.[1];
    response.writeHead(
      Number.parseInt(status ?? "200", 10),
      Object.fromEntries(lines.filter(([name]) => name !== "Status")) as Record<string, string>,
    );
    response.write(head.subarray(end + 4));
  });
  child.once("close", () => {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
  response.once("close", () => child.kill("SIGKILL"));
}
