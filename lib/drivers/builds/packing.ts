/** Packs folders of builds, and unpacks them on other servers. */
import { createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { packTar, type TarSource, unpackTar } from "modern-tar/fs";

/** Times and owners are left out, so that equal files make equal archives. */
const PLAIN = { mtime: new Date(0), uid: 0, gid: 0 };
/** Deeper folders do not come from a source. */
const MAX_DEPTH = 256;
/** Files that are opened at the same time. */
const CONCURRENCY = 32;
const GATHERED_BYTES = 256 * 1024;

/**
 * Packs the files below `root` into a new file, without those in `leftOut` (paths from the root). Links are left out: a build has
 * none outside of its packages.
 */
export async function packFolder(
  root: string,
  into: string,
  leftOut: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const tar = packTar(await entriesBelow(root, "", leftOut), { concurrency: CONCURRENCY });
  await pipeline(tar, gather(), createZstdCompress(), createWriteStream(into, { mode: 0o600 }), { signal });
}

/** Unpacks into a folder, which may exist. */
export async function unpackFolder(bytes: AsyncIterable<Uint8Array>, into: string, signal: AbortSignal): Promise<void> {
  const filter = ({ type }: { type?: string }): boolean => type !== "symlink";
  await pipeline(
    bytes,
    createZstdDecompress(),
    unpackTar(into, { filter, maxDepth: MAX_DEPTH, concurrency: CONCURRENCY }),
    { signal },
  );
}

/** Gathers small pieces into large ones. Each piece costs the compressor a turn of another thread, which is most of its time. */
function gather(): Transform {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const take = (): Buffer => {
    const all = Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    return all;
  };
  return new Transform({
    transform(piece: Buffer, _, done) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes < GATHERED_BYTES) done();
      else done(null, take());
    },
    flush(done) {
      done(null, take());
    },
  });
}

async function entriesBelow(root: string, path: string, leftOut: ReadonlySet<string>): Promise<TarSource[]> {
  const entries = (await readdir(join(root, path), { withFileTypes: true })).filter(({ name }) => isPackable(name));
  const found: TarSource[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = join(path, entry.name);
    if (leftOut.has(inside)) continue;
    const target = inside.replaceAll(sep, "/");
    if (entry.isFile()) found.push({ type: "file", source: join(root, inside), target, ...PLAIN });
    if (!entry.isDirectory()) continue;
    found.push({ type: "content", content: null, target: `${target}/`, mode: 0o755, ...PLAIN });
    found.push(...(await entriesBelow(root, inside, leftOut)));
  }
  return found;
}

/** Code cannot name other files, and archives would not keep their names. */
function isPackable(name: string): boolean {
  return name.trim() !== "" && !name.includes("\\") && !name.includes("\u{fffd}");
}
