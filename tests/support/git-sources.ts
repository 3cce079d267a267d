/** A Git server with repositories and a home folder that fetches from it, one of each for a test file. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Files, type GitServer, makeRepository, serveGit } from "./git-server.ts";
import { newSourceFetcher, type SourceFetcher, temporary } from "./sources.ts";

interface GitSource {
  type: "git";
  url: string;
  ref?: string;
  folder?: string;
}

export interface GitSources {
  /** The folder that holds all repositories. */
  readonly repositories: string;
  readonly server: GitServer;
  readonly fetcher: SourceFetcher;
  /** The source that points to the repository of this name. */
  at(name: string, more?: { ref?: string; folder?: string }): GitSource;
  /** Creates a new repository and the source that points to it. */
  repository(files: Files): { folder: string; source: GitSource };
}

/**
 * Sets up a server and a home folder for the tests of the calling file; `fill` creates repositories before they begin.
 */
export function useGitSources(fill: (repositories: string) => void = () => undefined): GitSources {
  const repositories = temporary("repositories");
  let server: GitServer | undefined;
  let fetcher: SourceFetcher | undefined;
  let made = 0;
  beforeAll(async () => {
    fill(repositories);
    server = await serveGit(repositories);
    fetcher = newSourceFetcher();
  });
  afterAll(async () => {
    await server?.close();
    await fetcher?.remove();
    rmSync(repositories, { recursive: true, force: true });
  });
  const open: GitSources = {
    repositories,
    get server() {
      return assertReady(server);
    },
    get fetcher() {
      return assertReady(fetcher);
    },
    at: (name, more = {}) => ({ type: "git", url: `${assertReady(server).origin}/${name}`, ...more }),
    repository(files) {
      const name = `r${++made}`;
      makeRepository(join(repositories, name), files);
      return { folder: join(repositories, name), source: open.at(name) };
    },
  };
  return open;
}

function assertReady<T>(one: T | undefined): T {
  if (one === undefined) throw new Error("the tests have not begun");
  return one;
}
