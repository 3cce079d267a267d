/** Detects the format of an archive, and checks the paths of its entries. */

export type ArchiveKind = "tar" | "tar.gz" | "zip";

/** Unsupported formats by their first bytes. */
const OTHERS: readonly [bytes: string, name: string][] = [
  ["BZh", "bzip2"],
  ["\u00FD7zXZ\0", "xz"],
  ["7z\u00BC\u00AF", "7z"],
  ["\u0028\u00B5\u002F\u00FD", "zstd"],
  ["Rar!", "rar"],
];

/** The number of bytes from the start of a file that determine its format. */
export const KIND_BYTES = 512;

/**
 * Detects the format by the first 512 bytes, a character for each. File names are not used: the sender chooses them.
 */
export function archiveKind(start: string): { kind: ArchiveKind } | { other: string | undefined } {
  if (start.startsWith("\u001F\u008B")) return { kind: "tar.gz" };
  if (start.startsWith("PK\u0003\u0004") || start.startsWith("PK\u0005\u0006")) return { kind: "zip" };
  if (isTarHeader(start)) return { kind: "tar" };
  return { other: OTHERS.find(([bytes]) => start.startsWith(bytes))?.[1] };
}

/** Returns whether this is a tar header, by its checksum: old archives have no other mark. */
function isTarHeader(start: string): boolean {
  if (start.length < KIND_BYTES) return false;
  // An archive without entries has no header.
  if (start === "\0".repeat(KIND_BYTES)) return true;
  const stored = Number.parseInt(start.slice(148, 156).replace(/[\0 ]+/g, " "), 8);
  const blanked = `${start.slice(0, 148)}        ${start.slice(156)}`;
  let sum = 0;
  for (let n = 0; n < KIND_BYTES; n++) sum += blanked.charCodeAt(n);
  return sum === stored;
}

/** Names that no source needs: packages of another machine, output of tools, and files that make git run programs. */
const LEFT_OUT = /^(\.git|node_modules|\.graphlib|\.next|__macosx|\.ds_store)$/i;

/** Returns whether a file or folder is left out of a source, by its own name. */
export function isLeftOut(name: string): boolean {
  return LEFT_OUT.test(name);
}

/**
 * Returns the parts of an entry's path; none for the root itself; undefined for one that must not be unpacked because
 * it leads out of the archive. Total.
 */
export function entryPath(name: string): string[] | undefined {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const isAbsolute = name.startsWith("/") || /^(\\|[A-Za-z]:)/.test(parts[0] ?? "");
  const strange = isAbsolute || name.includes("\0") || parts.some((part) => /^\.\.[. ]*$/.test(part));
  return strange ? undefined : parts;
}
