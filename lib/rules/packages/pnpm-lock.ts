/** Edits a lockfile of pnpm as text. A program writes it, always in the same format. */

const DOCUMENT = /^---[ \t]*\r?$/gm;

/** Returns the offset of the last document. From version 11 on, pnpm writes a document about itself before it. */
export function projectDocument(text: string): number {
  let start = 0;
  for (const found of text.matchAll(DOCUMENT)) start = found.index + found[0].length;
  return start;
}

/** Matches `  apps/agent:` or `  apps/agent: {}`. */
const IMPORTER = /^ {2}(?:'([^']*)'|"([^"]*)"|([^\s'"#][^:]*)):(?:\s.*)?$/;

/**
 * Removes the members whose paths are not in `kept` from a workspace's lockfile; those in `bare` stay without packages.
 * A frozen install requires that the lockfile has the members of the workspace, and in the layout used here it installs
 * what the lockfile has.
 */
export function narrowedPnpmLock(text: string, kept: ReadonlySet<string>, bare: ReadonlySet<string>): string {
  const start = projectDocument(text);
  const lines = text.slice(start).split("\n");
  const nothing = lines.some((line) => /^lockfileVersion:\s*['"]?5/.test(line)) ? "\n    specifiers: {}" : " {}";
  let among = false;
  let shown = true;
  const narrowed = lines.flatMap((line) => {
    if (/^\S/.test(line)) [among, shown] = [line.startsWith("importers:"), true];
    const found = among ? IMPORTER.exec(line) : null;
    if (!found) return shown ? [line] : [];
    const path = found[1] ?? found[2] ?? found[3] ?? "";
    const key = path === "." ? "" : path;
    shown = kept.has(key);
    if (shown) return [line];
    return bare.has(key) ? [`${line.slice(0, line.lastIndexOf(":"))}:${nothing}`, ""] : [];
  });
  return text.slice(0, start) + narrowed.join("\n");
}
