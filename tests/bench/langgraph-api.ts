/**
 * The public development server of LangGraph for JavaScript, which keeps everything in memory, with the same graphs. It is no
 * dependency of this project: `BENCH_LANGGRAPH_API` names a folder where it was installed.
 *
 * It looks for new runs at random times, and ends a stream 500 ms after its last event (version 1.5.1). So with few callers
 * its rate is one of waiting. Its processor time, and its rate with many callers, show what it can do.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { isA2a, type Workload } from "./workloads.ts";

const NAME = "@langchain/langgraph-api";
const VERSION = "1.5.1";
const FOLDER = process.env.BENCH_LANGGRAPH_API;

/** Says how to install it, or which versions were found. */
export function describeLanggraphApi(): string {
  const found = findLanggraphApi();
  if (found) return `${found.label}, with LangGraph ${found.version("@langchain/langgraph")}, in ${FOLDER}`;
  const same = ["", "-checkpoint"].map((part) => {
    const name = `@langchain/langgraph${part}` as "@langchain/langgraph" | "@langchain/langgraph-checkpoint";
    return `${name}@${packageJson.dependencies[name]}`;
  });
  const core = `@langchain/core@${packageJson.dependencies["@langchain/core"]}`;
  const install = `npm install --prefix <folder> ${NAME}@${VERSION} ${[...same, core].join(" ")} typescript@5`;
  return `no comparison with ${NAME}: run \`${install}\` and set BENCH_LANGGRAPH_API=<folder>`;
}

export interface LanggraphApi {
  /** Its name and version. */
  label: string;
  /** The version of a package that it uses. */
  version(name: string): string;
  serves(workload: Workload): boolean;
  /** Starts it on a free port of 127.0.0.1 with an empty store. */
  start(): Promise<{ url: string; pid: number; stop(): Promise<void> }>;
}

/** Returns the installed server, if there is one. Throws if the folder was given and does not hold it. */
export function findLanggraphApi(): LanggraphApi | undefined {
  if (FOLDER === undefined || FOLDER === "") return undefined;
  const packages = resolve(FOLDER, "node_modules");
  const version = (name: string): string => {
    const file = join(packages, name, "package.json");
    if (!existsSync(file)) throw new Error(`BENCH_LANGGRAPH_API: ${name} is not installed in ${FOLDER}`);
    return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  };
  return {
    label: `${NAME} ${version(NAME)}`,
    version,
    serves: (workload) => !isA2a(workload),
    start: () => startIn(packages),
  };
}

async function startIn(packages: string): ReturnType<LanggraphApi["start"]> {
  // The graphs are copied, so that they and the server use one copy of LangGraph.
  const folder = mkdtempSync(join(tmpdir(), "langgraph-api-"));
  for (const file of ["app/graphs.mjs", "apps/langgraph-api/server.mjs"])
    copyFileSync(join(import.meta.dirname, file), join(folder, basename(file)));
  symlinkSync(packages, join(folder, "node_modules"), "junction");
  const child = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    // The server prints several lines for each run, unless it is told not to.
    env: { ...process.env, NODE_ENV: "production", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const port = await new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const line = /^port (\d+)$/m.exec(output)?.[1];
        if (line) found(line);
      });
    }
    child.once("exit", (code) => failed(new Error(`${NAME} ended with code ${code}:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
