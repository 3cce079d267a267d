import { createHash } from "node:crypto";
import { lstat, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StepContext, StepFailure } from "../../engine/ports/builds.ts";
import type { Commit, Credentials, GitSource } from "../../protocol/sources.ts";
import { gitProblem, knownGitProblem } from "../../rules/sources/git-failure.ts";
import type { GitAddress } from "../../rules/sources/git-address.ts";
import { readPageAddress } from "../../rules/sources/page-address.ts";
import { needsRefs, settledSource } from "../../rules/sources/settled-source.ts";
import { createTreeReader, type TreeEntry } from "../../rules/sources/git-tree.ts";
import type { CommandEnvironment } from "../builds/guard.ts";
import { createGit, expectGit, failure, type Git, GitFailure, requireVersion } from "./git-command.ts";
import type { GitCaches } from "./git-caches.ts";
import { fetchCommit, type RefOptions, refNames } from "./git-refs.ts";
import {
  findRedirect,
  configOf,
  isSameHost,
  pinHost,
  type Remote,
  type RemoteOptions,
  secretsOf,
  sshEnvironment,
} from "./git-remote.ts";
import { createSourceCounter, type SourceLimits } from "./limits.ts";
import { logLfsPointers } from "./lfs-pointers.ts";
import { replaceLinks, createLeftOutLog, FOLDER_LINK_FIX, pathOf, shownPath } from "./links.ts";
import { LONGEST_TARGET } from "../../rules/sources/links.ts";

const MOST_MOVES = 3;

export interface GitFetchOptions extends RemoteOptions {
  caches: GitCaches;
  /** A private folder of this fetch. */
  work: string;
  knownHosts: string;
  env: CommandEnvironment;
  ssh?: string;
  limits: SourceLimits;
}

/** The inputs of every step of a fetch. */
interface Fetching extends GitFetchOptions {
  credentials: Credentials | undefined;
  context: StepContext;
}

/** The fetched commit, and the source as repository, ref and folder. */
export interface FetchedGit {
  commit: Commit;
  source: GitSource;
}

/** Writes the files of one commit to `into`. Throws `StepFailure`. */
export async function fetchGit(
  source: GitSource,
  credentials: Credentials | undefined,
  into: string,
  context: StepContext,
  options: GitFetchOptions,
): Promise<FetchedGit> {
  const fetching: Fetching = { ...options, credentials, context };
  const page = readPageAddress(source.url);
  const remote = await pinHost(page?.url ?? source.url, options, context.signal);
  requireMatchingCredentials(remote.address, credentials);
  const { shown } = remote.address;
  const wanted = source.ref ?? page?.path.join("/") ?? "the default branch";
  context.writeLine({ stream: "us", text: `Fetching ${wanted} from ${shown}` });
  // Credentials are part of the key: a caller who may not read a repository must not find what another caller fetched.
  const attempt = { address: remote.address, credentials: credentials !== undefined };
  const identity = JSON.stringify([remote.address.url, credentials ?? null]);
  const key = createHash("sha256").update(identity).digest("hex").slice(0, 32);
  try {
    const isKnown = (messages: string) => knownGitProblem(messages, attempt) !== undefined;
    return await withCache(fetching, { key, isKnown }, (git, repository) =>
      fetchFollowingMoves(git, repository, remote, source, into, fetching),
    );
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw failure(gitProblem(error.messages, attempt), error);
  }
}

function requireMatchingCredentials({ protocol }: GitAddress, credentials: Credentials | undefined): void {
  if (!credentials) return;
  if (protocol === "file") {
    const fix = "Leave out the token or key";
    throw failure({ message: "A repository on this machine is read without credentials", fix });
  }
  if (protocol === "ssh" && "token" in credentials) {
    const fix = "Give a deploy key, or the https address of the repository";
    throw failure({ message: "A token is for https addresses, and this is an ssh address", fix });
  }
  if (protocol !== "ssh" && "deploy_key" in credentials) {
    const fix = "Give a token, or the ssh address of the repository";
    throw failure({ message: "A deploy key is for ssh addresses, and this is a web address", fix });
  }
}

type Work<T> = (git: Git, repository: string) => Promise<T>;

interface CacheOptions {
  key: string;
  /** Returns whether a failure has a known reason that a new cache would not change. */
  isKnown(messages: string): boolean;
}

/** Runs `action` with the cached repository. When git fails without a known reason, the cache is created anew, once. */
async function withCache<T>(
  { caches, work, context, env, allowsAddress }: Fetching,
  { key, isKnown }: CacheOptions,
  action: Work<T>,
): Promise<T> {
  const git = createGit({ env, home: work, protocols: [], context });
  await requireVersion(git, allowsAddress !== undefined);
  let isNew = false;
  const init = async (repository: string): Promise<void> => {
    isNew = true;
    await expectGit(git, ["init", "--quiet", "--bare", "--template=", "--", repository]);
  };
  const attempt = () => caches.use(key, context.signal, init, (repository) => action(git, repository));
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof GitFailure) || isNew || isKnown(error.messages)) throw error;
    await caches.forget(key, context.signal);
    return await attempt();
  }
}

/** Fetches the commit, and follows redirects of the repository. */
async function fetchFollowingMoves(
  local: Git,
  repository: string,
  start: Remote,
  source: GitSource,
  into: string,
  fetching: Fetching,
): Promise<FetchedGit> {
  const { context, env, work, knownHosts, ssh: program, protocols, limits } = fetching;
  let { credentials } = fetching;
  let remote = start;
  for (let moves = 0; ; moves++) {
    const git = createGit({
      env:
        remote.address.protocol === "ssh"
          ? { ...env, ...(await sshEnvironment(remote, credentials, { program, knownHosts, work })) }
          : env,
      home: work,
      protocols,
      config: configOf(remote, credentials),
      secrets: secretsOf(credentials),
      context,
    });
    try {
      const options = { git, local, repository, work, address: remote.address, limits };
      const settled = await resolvePage(source, options);
      const commit = await fetchCommit(settled.ref ?? undefined, options);
      await checkOut(local, repository, commit.sha, into, { context, limits, work, shown: start.address.shown });
      return { commit, source: settled };
    } catch (error) {
      const isMoved = error instanceof GitFailure && /returned error: 3\d\d/.test(error.messages) && moves < MOST_MOVES;
      const next = isMoved ? await findRedirect(git, remote, work) : undefined;
      if (!next) throw error;
      context.writeLine({ stream: "us", text: `${remote.address.shown} has moved to ${next.shown}` });
      if (!isSameHost(remote.address, next)) credentials = undefined;
      remote = await pinHost(next, fetching, context.signal);
    }
  }
}

/** Resolves a page's address to repository, ref and folder. Throws `StepFailure` where that is impossible. */
async function resolvePage(source: GitSource, options: RefOptions): Promise<GitSource> {
  const settled = settledSource(source, needsRefs(source) ? await refNames(options) : undefined);
  if (readPageAddress(settled.url) === undefined) return settled;
  const fix = "Give the repository's own address, with the branch and the folder in their own fields";
  throw failure({ message: "This page of a repository names no branch, tag or commit", fix });
}

interface CheckOutOptions {
  context: StepContext;
  limits: SourceLimits;
  work: string;
  /** The repository's address, for display. */
  shown: string;
}

/** Writes a commit's files after checking their number, size and kinds. */
async function checkOut(
  git: Git,
  repository: string,
  sha: string,
  into: string,
  { context, limits, work, shown }: CheckOutOptions,
): Promise<void> {
  const count = createSourceCounter(shown, limits);
  const read = createTreeReader();
  const entries: TreeEntry[] = [];
  await expectGit(git, ["--git-dir", repository, "ls-tree", "-r", "-t", "-z", "-l", "--full-tree", sha], {
    output(piece) {
      for (const entry of read(piece)) {
        count(entry.bytes);
        if (entry.type !== "folder") entries.push(entry);
      }
    },
  });
  await rm(into, { recursive: true, force: true });
  await mkdir(into);
  const index = join(work, "index");
  await rm(index, { force: true });
  const location = ["--git-dir", repository, "--work-tree", into];
  await expectGit(git, [...location, "read-tree", "--reset", "-u", sha], {
    env: { GIT_INDEX_FILE: index },
    limits: { folder: into, diskBytes: 2 * limits.bytes, fileBytes: limits.bytes },
  });
  const leftOut = createLeftOutLog(context);
  const links = await linksIn(into, entries);
  await replaceLinks({ root: into, links, count, refuse: linkProblem, leftOut: leftOut.add });
  leftOut.end();
  for (const { type, path } of entries) {
    if (type === "module") context.writeLine({ stream: "us", text: `The submodule ${shownPath(path)} is left empty` });
  }
  await logLfsPointers(into, entries, context);
}

/** Reads the targets of links: git has written each link as a file with its target. */
async function linksIn(root: string, entries: readonly TreeEntry[]): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>();
  for (const { type, path } of entries) {
    if (type !== "link") continue;
    const file = pathOf(root, path);
    const isPath = (await lstat(file)).size <= LONGEST_TARGET;
    links.set(path, isPath ? await readFile(file, "latin1") : "");
  }
  return links;
}

function linkProblem(path: string, to: "folder" | "outside"): StepFailure {
  const link = `The link ${shownPath(path)}`;
  if (to === "folder") return failure({ message: `${link} leads to a folder`, fix: FOLDER_LINK_FIX });
  const fix = "Remove the link, or let it lead to a file of the repository by a relative path";
  return failure({ message: `${link} leads out of the repository`, fix });
}
