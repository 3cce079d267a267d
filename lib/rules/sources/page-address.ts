/** Parses web pages of a repository, whose URLs people copy from a browser: repository, ref and folder in one. */
import { configFileNames } from "../../protocol/config-files.ts";
import type { GitSource } from "../../protocol/sources.ts";

export interface PageAddress {
  /** Address of the repository. */
  url: string;
  /** The parts after the repository: those of a ref, which may have slashes, then those of a folder. At least one. */
  path: string[];
}

/** Indices in a page's path: where the repository ends and where the ref begins; `file`: the last part is a file. */
interface Marks {
  repository: number;
  ref: number;
  file: boolean;
}

/**
 * Parses the page of a folder, or of a file in it: of GitHub (`/tree/`, `/blob/`), GitLab (`/-/tree/`), Bitbucket
 * (`/src/`), Gitea and Forgejo (`/src/branch/`). Undefined for all other URLs. Total.
 */
export function readPageAddress(text: string): PageAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "" || pathname.endsWith(".git")) return undefined;
  const parts = pathname.split("/").filter((part) => part !== "");
  const marks = marksIn(parts, host);
  if (!marks) return undefined;
  const path = parts.slice(marks.ref).flatMap((part) => decoded(part).split("/"));
  if (path.length > 1 && (marks.file || configFileNames.some((name) => name === path.at(-1)))) path.pop();
  if (path.length === 0 || path.some((part) => /^\.{0,2}$/.test(part))) return undefined;
  return { url: `${protocol}//${host}/${parts.slice(0, marks.repository).join("/")}`, path };
}

function marksIn(parts: readonly string[], host: string): Marks | undefined {
  const dash = parts.findIndex((part, at) => part === "-" && at >= 2 && /^(?:tree|blob)$/.test(parts[at + 1] ?? ""));
  if (dash > 0) return { repository: dash, ref: dash + 2, file: parts[dash + 1] === "blob" };
  const [, , mark, kind = ""] = parts;
  if (mark === "tree" || mark === "blob") return { repository: 2, ref: 3, file: mark === "blob" };
  const isGitea = host !== "bitbucket.org" && /^(?:branch|tag|commit)$/.test(kind);
  if (mark !== "src" || !(isGitea || host === "bitbucket.org")) return undefined;
  return { repository: 2, ref: isGitea ? 4 : 3, file: false };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Splits the page URL of a source into repository, ref and folder: the longest existing ref, or else the first part.
 * Returns other sources unchanged. Fields that the source sets itself win. The parts may be invalid.
 */
export function splitPage(source: GitSource, refs: ReadonlySet<string> = new Set()): GitSource {
  const page = readPageAddress(source.url);
  if (!page) return source;
  const known = source.ref === undefined ? refs : new Set([source.ref]);
  const ends = page.path.map((_, at) => at + 1);
  const end = ends.findLast((one) => known.has(page.path.slice(0, one).join("/"))) ?? 1;
  const [ref, folder] = [page.path.slice(0, end).join("/"), page.path.slice(end).join("/")];
  return { ...source, url: page.url, ref: source.ref ?? ref, folder: source.folder ?? (folder || undefined) };
}
