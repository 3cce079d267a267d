import * as z from "zod";
import { nullish } from "./fields.ts";

/** Schema of text without control characters, which must not reach an argument or a log. */
const Plain = z
  .string()
  .min(1)
  .max(2048)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001F\u007F]*$/, "expected no control characters");

/**
 * Schema of `https://host/path`, `ssh://[user@]host[:port]/path`, or `[user@]host:path`; also `http://`, `file:///path`
 * and a bare path for servers that allow local sources. A web address has no user or password, because those are
 * credentials.
 */
export const GitUrl = Plain.overwrite(withScheme).refine(
  isGitUrl,
  "expected https://host/path, ssh://user@host/path, user@host:path or file:///path, without a password in it",
);

/** Converts an absolute path to a file URL. */
function withScheme(text: string): string {
  if (!text.startsWith("/") || text.startsWith("//")) return text;
  const url = new URL("file:///");
  url.pathname = text.replaceAll("%", "%25");
  return url.href;
}

function isGitUrl(text: string): boolean {
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)[^\s]+$/.test(text)) return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname, pathname } = new URL(text);
  if (protocol === "file:") return text.startsWith("file:///") && hostname === "" && pathname.length > 1;
  if (hostname === "" || hostname.startsWith("-") || pathname.length < 2 || password !== "") return false;
  return protocol === "ssh:" || ((protocol === "https:" || protocol === "http:") && username === "");
}

/** Schema of a branch, a tag or a commit. */
const GitRef = Plain.max(255).refine(
  (ref) => !/^[-/]|\.\.|[\s~^:?*[\\]|@\{|\/$|\.lock$|\/\//.test(ref),
  "expected the name of a branch or a tag, or a commit",
);

/** Schema of a folder inside the source, with forward slashes. Empty means the source's root. */
const SourceFolder = z
  .string()
  .max(1024)
  .transform((path) => path.replace(/^(?:\.?\/)+|\/+$/g, "").replace(/^\.$/, ""))
  .refine(
    (path) => path.split("/").every((part) => path === "" || (part !== "" && part !== ".." && part !== ".")),
    "expected a folder inside the source, without ..",
  );

export const GitSource = z.object({
  type: z.literal("git"),
  url: GitUrl,
  /** Absent: the remote's default branch. */
  ref: nullish(GitRef),
  folder: nullish(SourceFolder),
});
export type GitSource = z.infer<typeof GitSource>;

/** A folder on the server's own machine. */
export const FolderSource = z.object({
  type: z.literal("folder"),
  path: Plain.regex(/^(\/|[A-Za-z]:[\\/])/, "expected an absolute path"),
  /** True to serve the folder itself with its packages. Nothing is copied or installed, so a rollback is impossible. */
  in_place: nullish(z.boolean()),
});
export type FolderSource = z.infer<typeof FolderSource>;

/** An archive that was uploaded before. */
const UploadSource = z.object({
  type: z.literal("upload"),
  upload_id: z.uuid(),
  /** Original name of the file. */
  file_name: nullish(Plain.max(255)),
  folder: nullish(SourceFolder),
});
export type UploadSource = z.infer<typeof UploadSource>;

/** The origin of an application's code. */
export const Source = z.discriminatedUnion("type", [GitSource, FolderSource, UploadSource]);
export type Source = z.infer<typeof Source>;

/** Credentials for a private repository. The API never returns them. */
export const Credentials = z.union([
  z.object({
    /** Token for an https address. */
    token: Plain,
    /** User name to send with the token; most hosts accept any. */
    username: nullish(Plain.max(255)),
  }),
  /** Private key for an ssh address, in the format of `ssh-keygen`. */
  z.object({ deploy_key: z.string().min(1).max(20_000).includes("PRIVATE KEY") }),
]);
export type Credentials = z.infer<typeof Credentials>;

/** The commit of a git source. */
export const Commit = z.object({
  sha: z.string(),
  /** First line of the commit message. */
  message: z.string(),
  author: z.string(),
  /** Time in ISO 8601. */
  committed_at: z.string(),
  /** True if the files differ from the commit, because they come from a folder with later changes. */
  dirty: z.boolean().optional(),
});
export type Commit = z.infer<typeof Commit>;

/** A received archive. */
export const Upload = z.object({ upload_id: z.uuid(), bytes: z.int() });
export type Upload = z.infer<typeof Upload>;
