/** Sample applications, written as fetched sources into folders of their own. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FetchedSource, StepContext } from "../../lib/engine/ports/builds.ts";

const APPS = fileURLToPath(new URL("../drivers/apps", import.meta.url));
export const LIB = fileURLToPath(new URL("../../lib", import.meta.url));
/** Node's compile cache of our own code, as a server has one. */
export const CODE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/worker-tests", import.meta.url));

const folders: string[] = [];

/** Creates a folder that `removeFolders` deletes. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "graphlib-builds-")));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Texts or bytes by path, written below a folder. */
export type Files = Record<string, string | Uint8Array>;

export function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Copies one of `tests/drivers/apps` and adds or replaces files; `folder` is where its configuration lies. */
export function fetchedApp(app: string | undefined, files: Files = {}, folder = "", root = newFolder()): FetchedSource {
  if (app !== undefined) cpSync(join(APPS, app), root, { recursive: true });
  writeFiles(root, files);
  return { root, folder: join(root, folder) };
}

/** Creates the context of a build step. `lines` collects its log lines. */
export function newContext(signal = new AbortController().signal): StepContext & { lines: string[] } {
  const lines: string[] = [];
  return { signal, lines, writeLine: ({ stream, text }) => void lines.push(`${stream} ${text}`) };
}
