/** What an archive is, and where its entries may go. */

export type ArchiveKind = "tar" | "tar.gz" | "zip";

/** Other ways of packing, by their first bytes. */
const OTHERS: readonly [bytes: string, name: string][] = [
  ["BZh", "bzip2"],
  ["\u00FD7zXZ\0", "xz"],
  ["7z\u00BC\u00AF", "7z"],
  ["\u0028\u00B5\u002F\u00FD", "zstd"],
  ["Rar!", "rar"],
];

/** Bytes from the start of a file that tell what it is. */
export const KIND_BYTES = 512;

/** By the first 512 bytes, a letter for each. Never by a name: that is whatever the sender calls it. */
export function archiveKind(start: string): { kind: ArchiveKind } | { other: string | undefined } {
  if (start.startsWith("\u001F\u008B")) return { kind: "tar.gz" };
  if (start.startsWith("PK\u0003\u0004") || start.startsWith("PK\u0005\u0006")) return { kind: "zip" };
  if (isTarHeader(start)) return { kind: "tar" };
  return { other: OTHERS.find(([bytes]) => start.startsWith(bytes))?.[1] };
}

/** Its check sum tells: old ones have no other mark. */
function isTarHeader(start: string): boolean {
  if (start.length < KIND_BYTES) return false;
  // One without entries has no header.
  if (start === "\0".repeat(KIND_BYTES)) return true;
  const stored = Number.parseInt(start.slice(148, 156).replace(/[\0 ]+/g, " "), 8);
  const blanked = `${start.slice(0, 148)}        ${start.slice(156)}`;
  let sum = 0;
  for (let n = 0; n < KIND_BYTES; n++) sum += blanked.charCodeAt(n);
  return sum === stored;
}

/** What no source needs: another machine's packages, what tools have made, and what would make git run something. */
const LEFT_OUT = /^(\.git|node_modules|\.graphlib|\.next|__macosx|\.ds_store)$/i;

/** Whether a file or folder is left out of a source, by its own name. */
export function isLeftOut(name: string): boolean {
  return LEFT_OUT.test(name);
}

/**
 * The parts of an entry's path; none for the root itself; undefined for one that is not to be unpacked because it leads
 * out of the archive. Total.
 */
export function entryPath(name: string): string[] | undefined {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const isAbsolute = name.startsWith("/") || /^(\\|[A-Za-z]:)/.test(parts[0] ?? "");
  const strange = isAbsolute || name.includes("\0") || parts.some((part) => /^\.\.[. ]*$/.test(part));
  return strange ? undefined : parts;
}
