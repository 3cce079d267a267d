/**
 * Reads what the types in an application's sources say of a graph, in a separate thread. It reads one graph at a time,
 * and only once as long as the file stays the same. A read that takes too long, or too much memory, yields no types.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SourceTypes } from "../../protocol/worker.ts";
import { logFailure } from "../failure.ts";
import type { PackageFolders } from "./program.ts";
import type { ThreadData, TypeQuestion } from "./thread.ts";

/** The time after which a caller gets no types: two thirds of the time for which the host waits. */
const LIMIT_MS = 20_000;
/** The time after which an idle thread ends. TypeScript and the types of LangGraph take 200 MB while it lives. */
const IDLE_MS = 30_000;
const MEMORY_MB = 768;

/** Returns the types of an export; never rejects. */
export type StaticTypes = (file: string, exportName: string) => Promise<SourceTypes>;

/** Creates a reader. `root` is where the search for a `tsconfig.json` ends, if it does not go on to the top. */
export function staticTypes(folders: PackageFolders, root?: string, limitMs = LIMIT_MS): StaticTypes {
  const known = new Map<string, Promise<SourceTypes>>();
  const thread = createThread({ folders, root }, limitMs);
  let turn: Promise<unknown> = Promise.resolve();

  const read = (question: TypeQuestion, key: string): Promise<SourceTypes> => {
    const types = turn.then(() => thread(question));
    turn = types;
    known.set(key, types);
    return types;
  };
  return async (file, exportName) => {
    const text = await readFile(file).catch(() => "");
    const key = `${createHash("sha256").update(text).digest("hex")} ${file}:${exportName}`;
    return await withDeadline(limitMs, known.get(key) ?? read({ file, exportName }, key));
  };
}

/** Waits for types until the limit. Those that come later are still kept for the next caller. */
async function withDeadline(limitMs: number, types: Promise<SourceTypes>): Promise<SourceTypes> {
  const { promise: late, resolve } = Promise.withResolvers<SourceTypes>();
  const timer = setTimeout(resolve, limitMs, {});
  const found = await Promise.race([types, late]);
  clearTimeout(timer);
  return found;
}

/** Sends requests to the thread, which starts on demand. A thread that ends or exceeds the limit yields no types. */
function createThread(
  about: Pick<ThreadData, "folders" | "root">,
  limitMs: number,
): (question: TypeQuestion) => Promise<SourceTypes> {
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    // Node made this folder for its own version, inside of the one that was configured.
    const cache = getCompileCacheDir();
    const data: ThreadData = { ...about, cache: cache && dirname(cache) };
    const started = new Worker(new URL("./thread.ts", import.meta.url), {
      workerData: data,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    started.on("error", (error) => logFailure("The thread that reads types ended:", error));
    started.once("exit", () => {
      if (thread === started) thread = undefined;
    });
    started.unref();
    return started;
  };
  const end = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  return (question) => {
    clearTimeout(idle);
    const worker = (thread ??= start());
    return new Promise((resolve) => {
      const answer = (types: SourceTypes): void => {
        clearTimeout(limit);
        worker.off("message", answer);
        worker.off("exit", give);
        idle = setTimeout(end, IDLE_MS);
        idle.unref();
        resolve(types);
      };
      const give = (): void => answer({});
      const limit = setTimeout(() => {
        logFailure(`The types of ${question.file} could not be read within ${limitMs / 1000} s`);
        end();
      }, limitMs);
      worker.once("message", answer);
      worker.once("exit", give);
      worker.postMessage(question);
    });
  };
}
