/** Fetches sources into a home folder made for the test. */
import { mkdtempSync, realpathSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSources, type SourcesOptions } from "../../lib/drivers/sources/fetch.ts";
import { type FetchedSource, StepFailure, type Sources } from "../../lib/engine/ports/builds.ts";
import type { Credentials, Source } from "../../lib/protocol/sources.ts";

export const env = { PATH: process.env.PATH };

export interface SourceFetcher {
  sources: Sources;
  home: string;
  /** Texts of all log lines. */
  lines: string[];
  fetch(
    source: Source,
    options?: { credentials?: Credentials; signal?: AbortSignal; into?: string },
  ): Promise<FetchedSource>;
  look(source: Source, options?: { credentials?: Credentials; signal?: AbortSignal }): Promise<FetchedSource>;
  /** Fetches a source that must fail, and returns the problem's message and fix. */
  failure(source: Source, credentials?: Credentials): Promise<{ message: string; fix?: string }>;
  remove(): Promise<void>;
}

export function temporary(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `graphlib-${name}-`)));
}

export function newSourceFetcher(options: Partial<SourcesOptions> = {}): SourceFetcher {
  const home = options.home ?? temporary("sources");
  const sources = createSources({ home, env, allowLocal: true, ...options });
  const lines: string[] = [];
  let made = 0;
  const context = (signal = new AbortController().signal) => ({
    signal,
    writeLine: ({ text }: { text: string }) => void lines.push(text),
  });
  const fetcher: SourceFetcher = {
    sources,
    home,
    lines,
    fetch: (source, { credentials, signal, into = join(home, `fetched-${++made}`) } = {}) =>
      sources.fetch(source, credentials, into, context(signal)),
    look: (source, { credentials, signal } = {}) =>
      sources.fetchCached(source, credentials, signal ?? new AbortController().signal),
    async failure(source, credentials) {
      const into = join(home, `fetched-${++made}`);
      const error = await fetcher.fetch(source, { credentials, into }).catch((thrown: unknown) => thrown);
      if (!(error instanceof StepFailure)) throw new Error("no failure of a step", { cause: error });
      const left = (await readdir(home)).filter((name) => join(home, name) === into);
      if (left.length > 0) throw new Error("a failed fetch left its folder");
      return { message: error.message, fix: error.details.fix };
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
  return fetcher;
}

/** Returns the paths of all files and links below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
