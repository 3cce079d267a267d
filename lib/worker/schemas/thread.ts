/** The thread that reads types: a second of work that nothing else in the process waits for. */
import { enableCompileCache, flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { SourceTypes } from "../../protocol/worker.ts";
import { logFailure } from "../failure.ts";
import { createTypeReader, type PackageFolders } from "./program.ts";
import { endTsConfigsAt } from "../modules/tsconfig.ts";

/** What this thread is started with. */
export interface ThreadData {
  folders: PackageFolders;
  /** The source's root, where the search for a `tsconfig.json` ends. */
  root?: string;
  /** Folder of the process's compile cache: it halves the half second that TypeScript takes to load. */
  cache?: string;
}

/** A question to this thread; it answers every one with `SourceTypes`, in order. */
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
