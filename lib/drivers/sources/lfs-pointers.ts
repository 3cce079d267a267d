import { readFile } from "node:fs/promises";
import type { StepContext } from "../../engine/ports/builds.ts";
import type { TreeEntry } from "../../rules/sources/git-tree.ts";
import { pathOf, shownPath } from "./links.ts";

/** The largest pointer by the specification of Git LFS: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const POINTER_BYTES = 1_024;
const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/;
/** The most small files that are read, and the most pointers that the message names. */
const MOST_READ = 5_000;
const MOST_NAMED = 5;
const MOST_ATTRIBUTES = 50;

/** Logs which files are pointers of Git LFS. Their contents are not fetched: the repository names their host. */
export async function logLfsPointers(root: string, entries: readonly TreeEntry[], context: StepContext): Promise<void> {
  const files = entries.filter(({ type }) => type === "file");
  const attributes = files.filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
  const read = (path: string): Promise<string> => readFile(pathOf(root, path), "latin1").catch(() => "");
  const texts = await Promise.all(attributes.slice(0, MOST_ATTRIBUTES).map(({ path }) => read(path)));
  if (!texts.some((text) => /\bfilter=lfs\b/.test(text))) return;
  const pointers: string[] = [];
  for (const { path, bytes } of files.filter((one) => one.bytes <= POINTER_BYTES).slice(0, MOST_READ)) {
    context.signal.throwIfAborted();
    if (bytes > 0 && POINTER.test(await read(path))) pointers.push(path);
  }
  if (pointers.length === 0) return;
  const named = pointers.slice(0, MOST_NAMED).map(shownPath).join(", ");
  const more = pointers.length > MOST_NAMED ? ` and ${pointers.length - MOST_NAMED} more` : "";
  context.writeLine({
    stream: "us",
    text:
      `Files kept with Git LFS are left as pointers: ${named}${more}. Where the graphs need their contents, keep them in ` +
      "git itself, or deploy an archive of the folder after `git lfs pull`",
  });
}
