/** Compiles or analyzes an application's code in a separate process: foreign code may need any time and memory. */
import { mkdir, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Compile, type FetchedSource, StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { type CompileOrder, CompileReport } from "../../protocol/compile.ts";
import { parseGraphPath } from "../../protocol/config.ts";
import type { Finding } from "../../protocol/preflight.ts";
import { problemFindings } from "../../rules/preflight/code.ts";
import type { Fence } from "../fence/fence.ts";
import { runCommand } from "./command.ts";
import { wrapFor } from "./confinement.ts";
import { packagesOf } from "./package-cache.ts";
import { readsOf } from "./runtimes.ts";

const REPORT_BYTES = 64 * 1024 * 1024;
const MEMORY_BYTES = 2 * 1024 ** 3;

export interface CompilerOptions {
  /** The path of `lib/worker/compile.ts`. */
  main: string;
  /** The folder of Node's compile cache for our own code. It halves the start time of the process. */
  cache: string;
  /** The fence of the process, for sources below `home`, the folder of all state. */
  fenced?: { fence: Fence; home: string };
}

/** Returns the folder of compiled code of a source that was fetched to `root`. A worker gets it as `compiled`. */
export function compiledFolder(root: string): string {
  return join(root, ".graphlib", "compiled");
}

/** Runs the compiler, which runs no code of the application. Throws `StepFailure` when it does not finish. */
async function runCompiler(
  { main, cache, fenced }: CompilerOptions,
  order: CompileOrder,
  context: StepContext,
): Promise<CompileReport> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const folder = dirname(main);
  if (order.into !== undefined) await mkdir(order.into, { recursive: true });
  await mkdir(cache, { recursive: true });
  const code = await runCommand({
    ...context,
    file: process.execPath,
    args: [main],
    cwd: folder,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", NODE_COMPILE_CACHE: cache },
    wrap: fenced && order.root.startsWith(fenced.home + sep) ? fenceFor(fenced, main, cache, order) : undefined,
    input: JSON.stringify(order),
    output(chunk) {
      bytes += chunk.length;
      if (bytes > REPORT_BYTES) throw unfinishedFailure("its report is too large");
      chunks.push(chunk);
    },
    limits: { folder, memoryBytes: MEMORY_BYTES },
  });
  if (code !== 0) throw unfinishedFailure(`exit code ${code}`);
  return CompileReport.parse(JSON.parse(Buffer.concat(chunks).toString()));
}

/** Lets the compiler read the source, the packages that the source links to, and its own code. */
function fenceFor({ fence, home }: { fence: Fence; home: string }, main: string, cache: string, order: CompileOrder) {
  const packages = packagesOf(home, order.root);
  return wrapFor(fence, {
    reads: [...readsOf(main), order.root, ...(packages === undefined ? [] : [packages])],
    writes: [cache, ...(order.into === undefined ? [] : [order.into])],
  });
}

function unfinishedFailure(why: string): StepFailure {
  const fix = "Look for large generated files that are imported by mistake";
  return new StepFailure(`The compiler could not finish reading the code (${why})`, { fix });
}

export function createCompile(options: CompilerOptions): Compile {
  return async ({ root, folder }, { graphs, auth, app, embed, node }, context) => {
    const paths = [
      ...Object.values(graphs).map(({ path }) => path),
      auth,
      app,
      embed?.startsWith("openai:") ? undefined : embed,
    ];
    const entries = paths.filter((path) => path !== undefined).map((path) => parseGraphPath(path).file);
    const order = { root, folder, entries: [...new Set(entries)], into: compiledFolder(root), node };
    const { files, problems } = await runCompiler(options, order, context);
    const findings = problemFindings(problems);
    for (const { file, line, message } of findings)
      context.writeLine({ stream: "us", text: `${file}:${line}  ${message}` });
    const first = findings.find(({ level }) => level === "error");
    if (first) {
      await rm(order.into, { recursive: true, force: true });
      throw failureOf(first);
    }
    return { files };
  };
}

function failureOf({ message, file, line, column, fix }: Finding): StepFailure {
  return new StepFailure(message, { file, line, column, fix });
}

/** Reads code without writing anything. `entries` are paths of its entry files from the application's folder. */
export type AnalyzeCode = (fetched: FetchedSource, entries: string[], signal: AbortSignal) => Promise<CompileReport>;

export function createAnalyzeCode(options: CompilerOptions): AnalyzeCode {
  return ({ root, folder }, entries, signal) =>
    runCompiler(options, { root, folder, entries }, { signal, writeLine: () => undefined });
}
