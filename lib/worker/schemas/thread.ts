/** The thread that reads types. It works for about a second, and nothing else in the process waits for it. */
import { enableCompileCache, flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { SourceTypes } from "../../protocol/worker.ts";
import { logFailure } from "../failure.ts";
import { createTypeReader, type PackageFolders } from "./program.ts";
import { endTsConfigsAt } from "../modules/tsconfig.ts";

/** The data with which this thread is started. */
export interface ThreadData {
  folders: PackageFolders;
  /** The source's root, where the search for a `tsconfig.json` ends. */
  root?: string;
  /** The folder of the process's compile cache, which halves the half second that TypeScript takes to load. */
  cache?: string;
}

/** A request to this thread. It answers each with `SourceTypes`, in order. */
export interface TypeQuestion {
  file: string;
  exportName: string;
}

// `static.ts` starts this thread, and is the only one to write to it.
const { folders, root, cache } = workerData as ThreadData;
if (cache !== undefined) enableCompileCache(cache);
if (root !== undefined) endTsConfigsAt(root);
const reader = createTypeReader(folders);
let flushed = false;

parentPort?.on("message", ({ file, exportName }: TypeQuestion) => {
  let types: SourceTypes = {};
  try {
    types = reader(file, exportName);
  } catch (error) {
    logFailure(`The types of ${file} could not be read:`, error);
  }
  parentPort?.postMessage(types);
  if (!flushed) flushCompileCache();
  flushed = true;
});
