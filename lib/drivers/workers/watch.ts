import { type FSWatcher, watch } from "node:fs";

/** Folders whose changes are not changes of the application. */
const IGNORED = /(^|[\\/])(node_modules|\.next|\.git|\.graphlib|test-results)([\\/]|$)/;
const SOURCE = /\.([cm]?[jt]sx?|json)$|\.env/;
/** Changes within this time cause one restart: an editor writes a file in several steps. */
const SETTLE_MS = 150;

/** Calls `onChange` when a source file below a folder has changed. */
export function watchFolder(folder: string, onChange: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  return watch(folder, { recursive: true }, (_event, file) => {
    if (file === null || IGNORED.test(file) || !SOURCE.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
}
