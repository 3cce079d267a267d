/** The files of a commit, as `git ls-tree -r -t -z -l` tells them, and the refs of a repository, as `git ls-remote` does. */

export interface TreeEntry {
  type: "file" | "folder" | "link" | "module";
  bytes: number;
  /** Each letter stands for a byte, because names need not be text. */
  path: string;
}

/** Reads what comes in pieces, where each letter stands for a byte. */
export function createTreeReader(): (piece: string) => TreeEntry[] {
  let rest = "";
  return (piece) => {
    const entries = (rest + piece).split("\0");
    rest = entries.pop() ?? "";
    return entries.map(entryOf);
  };
}

function entryOf(text: string): TreeEntry {
  const tab = text.indexOf("\t");
  const [mode = "", type, , size] = text.slice(0, tab).split(/ +/);
  return { type: typeOf(mode, type), bytes: Number(size) || 0, path: text.slice(tab + 1) };
}

function typeOf(mode: string, type: string | undefined): TreeEntry["type"] {
  if (type === "tree") return "folder";
  if (type === "commit") return "module";
  return mode === "120000" ? "link" : "file";
}

export interface RemoteRef {
  sha: string;
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string;
  kind: "branch" | "tag";
}

/** What else it lists is left out; of a tag with a text of its own, the commit is given. */
export function parseRemoteRefs(text: string): RemoteRef[] {
  const refs = new Map<string, RemoteRef>();
  for (const line of text.split("\n")) {
    const [, sha, kind, name] = /^([0-9a-f]{40,64})\trefs\/(heads|tags)\/(.+?)(?:\^\{\})?$/.exec(line) ?? [];
    if (sha === undefined || kind === undefined || name === undefined) continue;
    refs.set(`${kind}/${name}`, { sha, name, kind: kind === "heads" ? "branch" : "tag" });
  }
  return [...refs.values()];
}

/** A whole one. */
export function isSha(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/** What may be the beginning of one. */
export function isShortSha(text: string): boolean {
  return /^[0-9a-f]{4,39}$/i.test(text);
}
