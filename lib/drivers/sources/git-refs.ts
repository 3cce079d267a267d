/** Resolves a branch, tag or commit to one commit and fetches it, with few requests and little data. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { readdir, rm, stat } from "node:fs/promises";
import type { StepFailure } from "../../engine/ports/builds.ts";
import type { Commit } from "../../protocol/sources.ts";
import type { GitAddress } from "../../rules/sources/git-address.ts";
import { isMissingRef, tooLargeProblem } from "../../rules/sources/git-failure.ts";
import { isSha, isShortSha, parseRemoteRefs, type RemoteRef } from "../../rules/sources/git-tree.ts";
import { nearNames } from "../../rules/text/near-name.ts";
import { expectGit, failure, type Git, GitFailure, type GitCall } from "./git-command.ts";
import type { SourceLimits } from "./limits.ts";
import { isoTime } from "../../protocol/iso-time.ts";

const SUBJECT_CHARS = 300;
/** The longest list of refs that is read, in characters. */
const REFS_CHARS = 64 * 1024 * 1024;
const SHOWN_REFS = 3;

export interface RefOptions {
  /** Runs git with access to the remote. */
  git: Git;
  /** Runs git without network. */
  local: Git;
  repository: string;
  work: string;
  address: GitAddress;
  limits: SourceLimits;
}

/** Fetches a branch, a tag, a commit, or the default branch. Throws `StepFailure`, `GitFailure`. */
export async function fetchCommit(ref: string | undefined, options: RefOptions): Promise<Commit> {
  const { repository, local } = options;
  if (ref !== undefined && isSha(ref)) {
    const known = await describeCommit(local, repository, ref);
    if (known) return known;
  }
  const kept = keptRef(ref ?? "HEAD");
  const wanted = remoteNameOf(ref);
  const found = (await fetchOne(wanted, kept, options)) || (await fetchTagOrAbbreviation(ref, kept, options));
  const commit = found ? await describeCommit(local, repository, kept) : undefined;
  if (!commit) {
    const fix = "Name a branch, a commit, or a tag that points to a commit";
    throw failure({ message: `${ref ?? "HEAD"} of ${options.address.shown} is not a commit`, fix });
  }
  return commit;
}

/** Returns the ref that stores the last fetch of a name, so that the next fetch brings only what is new. */
function keptRef(name: string): string {
  return `refs/kept/${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

function remoteNameOf(ref: string | undefined): string {
  if (ref === undefined) return "HEAD";
  return isSha(ref) || ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}

/** Fetches one ref. Returns false when the remote does not have it. */
async function fetchOne(name: string, kept: string, options: RefOptions): Promise<boolean> {
  const { git, repository, address } = options;
  const flags = ["--depth=1", "--no-tags", "--no-auto-gc", "--no-write-fetch-head", "--force", "--progress"];
  const args = ["--git-dir", repository, "fetch", ...flags, "--", address.url, `+${name}:${kept}`];
  const { code, messages } = await git(args, { logged: true, ...fetchLimits(repository, options) });
  if (code === 0) return true;
  if (isMissingRef(messages)) return false;
  throw (await wasTooLarge(repository, options)) ? failure(tooLargeProblem(address)) : new GitFailure(messages);
}

/** Returns whether the pack reached its size limit, because git does not report that as the reason why it ended. */
async function wasTooLarge(repository: string, { limits }: RefOptions): Promise<boolean> {
  const folder = join(repository, "objects", "pack");
  const partial = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith("tmp_pack_"));
  const sizes = await Promise.all(partial.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.some((size) => size >= limits.bytes);
}

/** Limits the fetched pack, and the repository as a whole. */
function fetchLimits(folder: string, { limits }: RefOptions): GitCall {
  return { limits: { folder, diskBytes: 3 * limits.bytes, fileBytes: limits.bytes } };
}

/** Fetches a tag or an abbreviated commit, when there is no such branch. Throws `StepFailure` with similar names. */
async function fetchTagOrAbbreviation(ref: string | undefined, kept: string, options: RefOptions): Promise<boolean> {
  const refs = parseRemoteRefs(await listRefs(options));
  if (ref === undefined) throw noDefaultBranch(options.address, refs);
  if (refs.some(({ kind, name }) => kind === "tag" && name === ref)) {
    return await fetchOne(`refs/tags/${ref}`, kept, options);
  }
  if (isShortSha(ref)) {
    const short = ref.toLowerCase();
    const tips = new Set(refs.map(({ sha }) => sha).filter((sha) => sha.startsWith(short)));
    const all = tips.size > 0 ? [...tips] : await searchHistory(short, options);
    const [sha, other] = all;
    if (other !== undefined) {
      const fix = "Give more characters of the commit";
      throw failure({ message: `Several commits of ${options.address.shown} begin with ${ref}`, fix });
    }
    if (sha !== undefined) return await fetchOne(sha, kept, options);
  }
  throw noSuchRef(ref, options.address, refs);
}

/** Returns the names of all branches and tags. Throws `StepFailure`, `GitFailure`. */
export async function refNames(options: RefOptions): Promise<Set<string>> {
  return new Set(parseRemoteRefs(await listRefs(options)).map(({ name }) => name));
}

async function listRefs({ git, address }: RefOptions): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  const { code, messages } = await git(["ls-remote", "--heads", "--tags", "--", address.url], {
    output(piece) {
      length += piece.length;
      if (length > REFS_CHARS) {
        const fix = "Delete branches and tags that are not needed, or give the whole commit id";
        throw failure({ message: `${address.shown} has too many branches and tags`, fix });
      }
      pieces.push(piece);
    },
  });
  if (code !== 0) throw new GitFailure(messages);
  return Buffer.from(pieces.join(""), "latin1").toString("utf8");
}

/** Finds commits of all branches and tags that begin with `short`. It fetches the whole history, without files. */
async function searchHistory(short: string, options: RefOptions): Promise<string[]> {
  const { git, local, work, address } = options;
  const history = join(work, "history.git");
  await rm(history, { recursive: true, force: true });
  await expectGit(local, ["init", "--quiet", "--bare", "--template=", "--", history]);
  const flags = ["--filter=tree:0", "--no-tags", "--no-auto-gc", "--no-write-fetch-head", "--progress"];
  const refspecs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  const args = ["--git-dir", history, "fetch", ...flags, "--", address.url, ...refspecs];
  const { code, messages } = await git(args, { logged: true, ...fetchLimits(history, options) });
  if (code !== 0)
    throw (await wasTooLarge(history, options)) ? failure(tooLargeProblem(address)) : new GitFailure(messages);
  const found = new Set<string>();
  let rest = "";
  await expectGit(local, ["--git-dir", history, "rev-list", "--all"], {
    output(piece) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const sha of lines) if (sha.startsWith(short) && found.size < 2) found.add(sha);
    },
  });
  await rm(history, { recursive: true, force: true });
  return [...found];
}

/** Describes a commit of the repository; undefined when the name is missing there or not a commit. */
export async function describeCommit(git: Git, repository: string, name: string): Promise<Commit | undefined> {
  let text = "";
  const format = "--format=%H%x00%an%x00%cI%x00%s";
  const args = [
    "--git-dir",
    repository,
    "log",
    "-1",
    "--no-walk",
    format,
    "--end-of-options",
    `${name}^{commit}`,
    "--",
  ];
  const { code } = await git(args, { output: (piece) => (text += piece) });
  if (code !== 0) return undefined;
  const [sha = "", author = "", time = "", subject = ""] = Buffer.from(text, "latin1").toString("utf8").split("\0");
  return {
    sha,
    author: singleLine(author),
    committed_at: isoTime(Date.parse(time) || 0),
    message: singleLine(subject),
  };
}

/** Returns one line without control characters. */
function singleLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = text.replace(/[\u0000-\u001F\u007F]+/g, " ");
  return line.trim().slice(0, SUBJECT_CHARS).toWellFormed();
}

function noDefaultBranch({ shown }: GitAddress, refs: readonly RemoteRef[]): StepFailure {
  if (refs.length === 0) return failure({ message: `${shown} is empty`, fix: "Push a commit to it first" });
  const names = refs.slice(0, SHOWN_REFS).map(({ name }) => name);
  return failure({ message: `${shown} has no default branch`, fix: `Name a branch, such as ${names.join(", ")}` });
}

function noSuchRef(ref: string, { shown }: GitAddress, refs: readonly RemoteRef[]): StepFailure {
  const names = new Set(refs.map(({ name }) => name));
  const near = nearNames(ref, names, SHOWN_REFS);
  const some = near.length > 0 ? near : [...names].slice(0, SHOWN_REFS);
  const message = `${shown} has no branch, tag or commit ${ref}`;
  if (some.length === 0) return failure({ message: `${message}: it is empty`, fix: "Push a commit to it first" });
  return failure({ message, fix: near.length > 0 ? `Did you mean ${some.join(", ")}?` : `It has ${some.join(", ")}` });
}
