import type { PreflightAnswer } from "#lib/protocol/preflight.ts";
import type { Credentials, Source } from "#lib/protocol/sources.ts";
import { readPageAddress } from "#lib/rules/sources/page-address.ts";

/** The fields of a source while it is typed. */
export interface SourceDraft {
  kind: Source["type"];
  url: string;
  ref: string;
  folder: string;
  access: "public" | "token" | "key";
  token: string;
  key: string;
  path: string;
  upload?: { id: string; name: string };
}

export const NEW_SOURCE: SourceDraft = {
  kind: "git",
  url: "",
  ref: "",
  folder: "",
  access: "public",
  token: "",
  key: "",
  path: "",
};

/** Returns the source; undefined while its fields are incomplete. */
export function sourceOf({ kind, url, ref, folder, path, upload }: SourceDraft): Source | undefined {
  const inside = folder.trim() === "" ? {} : { folder: folder.trim() };
  if (kind === "git") {
    const address = addressOf(url.trim());
    if (address === undefined) return undefined;
    return { type: "git", url: address, ...(ref.trim() !== "" && { ref: ref.trim() }), ...inside };
  }
  if (kind === "folder") return path.trim().length > 1 ? { type: "folder", path: path.trim() } : undefined;
  return upload && { type: "upload", upload_id: upload.id, file_name: upload.name, ...inside };
}

/** Returns a repository URL, with `https://` if the scheme is missing. Accepts SSH addresses and absolute paths. */
function addressOf(text: string): string | undefined {
  if (/^[\w.-]+@[\w.-]+:\S+/.test(text) || /^\/[^/]/.test(text)) return text;
  const url = /^[\w-]+(?:\.[\w-]+)+\/\S+$/.test(text) ? `https://${text}` : text;
  if (!URL.canParse(url)) return undefined;
  return new URL(url).pathname.length > 1 ? url : undefined;
}

/** Splits the pasted URL of a repository's web page into the fields for repository, ref and folder. */
export function settledDraft(draft: SourceDraft, { source }: Pick<PreflightAnswer, "source">): SourceDraft {
  const address = addressOf(draft.url.trim());
  if (draft.kind !== "git" || source.type !== "git" || !address || !readPageAddress(address)) return draft;
  // The user has changed the URL since the request.
  if (source.url !== readPageAddress(address)?.url) return draft;
  return { ...draft, url: source.url, ref: source.ref ?? "", folder: source.folder ?? "" };
}

export function credentialsOf({ kind, access, token, key }: SourceDraft): Credentials | undefined {
  if (kind !== "git" || access === "public") return undefined;
  if (access === "token") return token.trim() === "" ? undefined : { token: token.trim() };
  return key.trim() === "" ? undefined : { deploy_key: `${key.trim()}\n` };
}

/** Returns the fields for a stored source. */
export function draftOf(source: Source): SourceDraft {
  switch (source.type) {
    case "git":
      return { ...NEW_SOURCE, url: source.url, ref: source.ref ?? "", folder: source.folder ?? "" };
    case "folder":
      return { ...NEW_SOURCE, kind: "folder", path: source.path };
    case "upload":
      return {
        ...NEW_SOURCE,
        kind: "upload",
        folder: source.folder ?? "",
        upload: { id: source.upload_id, name: source.file_name ?? "an archive" },
      };
  }
}

/** Returns the same source with another folder, which is a path from its root. */
export function withFolder(draft: SourceDraft, folder: string): SourceDraft {
  if (draft.kind !== "folder") return { ...draft, folder };
  // The root of a local folder is the folder itself, so the path is appended.
  return { ...draft, path: `${draft.path.trim().replace(/[\\/]+$/, "")}/${folder}` };
}
