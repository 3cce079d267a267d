import { type FSWatcher, watch } from "node:fs";

/** Folders whose changes are not the application's own. */
const IGNORED = /(^|[\\/])(node_modules|\.next|\.git|\.graphlib|test-results)([\\/]|$)/;
const SOURCE = /\.([cm]?[jt]sx?|json)$|\.env/;
/** An editor writes a file in several steps; one restart is enough. */
const SETTLE_MS = 150;

/** Calls back when a source file below a folder has changed. */
export function watchFolder(folder: string, onChange: () => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  return watch(folder, { recursive: true }, (_event, file) => {
    if (file === null || IGNORED.test(file) || !SOURCE.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  });
}
