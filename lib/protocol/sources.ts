import * as z from "zod";
import { nullish } from "./fields.ts";

/** Without control characters, which have no place in an argument or a log. */
const Plain = z
  .string()
  .min(1)
  .max(2048)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001F\u007F]*$/, "expected no control characters");

/**
 * `https://host/path`, `ssh://[user@]host[:port]/path`, or `[user@]host:path`; where local sources are allowed `http://`
 * and `file:///path`, also as a bare path. Without user and password in a web address: those are credentials.
 */
export const GitUrl = Plain.overwrite(withScheme).refine(
  isGitUrl,
  "expected https://host/path, ssh://user@host/path, user@host:path or file:///path, without a password in it",
);

/** A path of this machine is written as an address. */
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

/** A branch, a tag or a commit. */
const GitRef = Plain.max(255).refine(
  (ref) => !/^[-/]|\.\.|[\s~^:?*[\\]|@\{|\/$|\.lock$|\/\//.test(ref),
  "expected the name of a branch or a tag, or a commit",
);

/** A folder inside the source, with forward slashes; empty means the whole of it. */
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
  /** The remote's default branch when left out. */
  ref: nullish(GitRef),
  folder: nullish(SourceFolder),
});
export type GitSource = z.infer<typeof GitSource>;

/** A folder on the server's own machine. */
export const FolderSource = z.object({
  type: z.literal("folder"),
  path: Plain.regex(/^(\/|[A-Za-z]:[\\/])/, "expected an absolute path"),
  /** Serve the folder itself, with the packages it has: nothing is copied or installed, so there is no going back. */
  in_place: nullish(z.boolean()),
});
export type FolderSource = z.infer<typeof FolderSource>;

/** An archive that was uploaded before. */
const UploadSource = z.object({
  type: z.literal("upload"),
  upload_id: z.uuid(),
  /** What it was called where it came from. */
  file_name: nullish(Plain.max(255)),
  folder: nullish(SourceFolder),
});
export type UploadSource = z.infer<typeof UploadSource>;

/** Where an application's code comes from. */
export const Source = z.discriminatedUnion("type", [GitSource, FolderSource, UploadSource]);
export type Source = z.infer<typeof Source>;

/** What lets the server read a private repository. Never sent back. */
export const Credentials = z.union([
  z.object({
    /** Of an https address. */
    token: Plain,
    /** What the host wants beside a token; most take any. */
    username: nullish(Plain.max(255)),
  }),
  /** Private key of an ssh address, as `ssh-keygen` writes it. */
  z.object({ deploy_key: z.string().min(1).max(20_000).includes("PRIVATE KEY") }),
]);
export type Credentials = z.infer<typeof Credentials>;

/** What was found at a git source. */
export const Commit = z.object({
  sha: z.string(),
  /** First line of its message. */
  message: z.string(),
  author: z.string(),
  /** ISO 8601. */
  committed_at: z.string(),
  /** The files differ from it: they come from a folder that was changed since. */
  dirty: z.boolean().optional(),
});
export type Commit = z.infer<typeof Commit>;

/** An archive that was received. */
export const Upload = z.object({ upload_id: z.uuid(), bytes: z.int() });
export type Upload = z.infer<typeof Upload>;
