import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type FetchedSource, silentContext, type Sources, StepFailure } from "../../engine/ports/builds.ts";
import type { Credentials, Source } from "../../protocol/sources.ts";
import { createSharedWork } from "./shared-work.ts";

/** The time from a copy's last use to its deletion. */
const KEPT_MS = 5 * 60_000;
/** A copy counts as current for this time, and is not fetched again. */
const FRESH_MS = 5_000;
/** The most copies at the same time. */
const MOST = 16;
/** A copy that was used more recently than this may still be being read. */
const READ_MS = 30_000;

export interface SourceCopiesOptions {
  root: string;
  fetch: Sources["fetch"];
  keptMs?: number;
  most?: number;
}

/** Copies of sources that are kept for a short time for inspection. Callers at the same time share one copy. */
export interface SourceCopies {
  get(source: Source, credentials: Credentials | undefined, signal: AbortSignal): Promise<FetchedSource>;
  /** Deletes copies that an earlier process left behind. */
  sweep(): Promise<void>;
}

interface Copy {
  key: string;
  folder: string;
  fetched: FetchedSource;
  broughtAt: number;
  usedAt: number;
  timer: NodeJS.Timeout;
}

export function createSourceCopies({ root, fetch, keptMs = KEPT_MS, most = MOST }: SourceCopiesOptions): SourceCopies {
  /** Copies in the order of their last use. */
  const copies = new Set<Copy>();
  const incoming = new Set<string>();
  const shared = createSharedWork<FetchedSource>();

  const drop = (copy: Copy): Promise<void> => {
    copies.delete(copy);
    clearTimeout(copy.timer);
    return rm(copy.folder, { recursive: true, force: true });
  };
  const use = (copy: Copy): FetchedSource => {
    copies.delete(copy);
    copies.add(copy);
    copy.usedAt = Date.now();
    copy.timer.refresh();
    return copy.fetched;
  };
  const makeRoom = async (): Promise<void> => {
    if (copies.size + incoming.size < most) return;
    const [oldest] = copies;
    if (!oldest || Date.now() - oldest.usedAt < READ_MS) {
      throw new StepFailure("The server already checks too many sources", { fix: "Try again in a minute" });
    }
    await drop(oldest);
  };
  const fetchCopy = async (key: string, source: Source, credentials: Credentials | undefined, signal: AbortSignal) => {
    await makeRoom();
    const folder = join(root, randomUUID());
    incoming.add(folder);
    try {
      await mkdir(root, { recursive: true });
      const fetched = await fetch(source, credentials, folder, silentContext(signal));
      const now = Date.now();
      const timer = setTimeout(() => void drop(copy), keptMs).unref();
      const copy: Copy = { key, folder, fetched, broughtAt: now, usedAt: now, timer };
      copies.add(copy);
      return fetched;
    } finally {
      incoming.delete(folder);
    }
  };

  return {
    async get(source, credentials, signal) {
      const key = createHash("sha256")
        .update(JSON.stringify([source, credentials ?? null]))
        .digest("hex");
      const found = [...copies].findLast((copy) => copy.key === key);
      // An upload never changes.
      if (found && (source.type === "upload" || Date.now() - found.broughtAt < FRESH_MS)) return use(found);
      return await shared.join(key, signal, (all) => fetchCopy(key, source, credentials, all));
    },
    async sweep() {
      for (const name of await readdir(root).catch(() => [])) {
        const folder = join(root, name);
        const isOurs = incoming.has(folder) || [...copies].some((copy) => copy.folder === folder);
        if (!isOurs) await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
