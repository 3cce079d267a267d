/** Parses the files of a commit from `git ls-tree -r -t -z -l`, and the refs of a repository from `git ls-remote`. */

export interface TreeEntry {
  type: "file" | "folder" | "link" | "module";
  bytes: number;
  /** The path with one character for each byte, because names need not be valid text. */
  path: string;
}

/** Returns a parser of output in chunks, with one character for each byte. */
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
  /** The name without `refs/heads/` or `refs/tags/`. */
  name: string;
  kind: "branch" | "tag";
}

/** Parses branches and tags; other refs are left out. An annotated tag gets the commit that it points to. */
export function parseRemoteRefs(text: string): RemoteRef[] {
  const refs = new Map<string, RemoteRef>();
  for (const line of text.split("\n")) {
    const [, sha, kind, name] = /^([0-9a-f]{40,64})\trefs\/(heads|tags)\/(.+?)(?:\^\{\})?$/.exec(line) ?? [];
    if (sha === undefined || kind === undefined || name === undefined) continue;
    refs.set(`${kind}/${name}`, { sha, name, kind: kind === "heads" ? "branch" : "tag" });
  }
  return [...refs.values()];
}

/** Returns whether the text is a full commit id. */
export function isSha(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/** Returns whether the text may be an abbreviated commit id. */
export function isShortSha(text: string): boolean {
  return /^[0-9a-f]{4,39}$/i.test(text);
}
