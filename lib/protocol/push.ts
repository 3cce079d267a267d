/** What hosts of repositories say of a push: GitHub, GitLab, Gitea and Forgejo. */
import * as z from "zod";

const Url = z.string().max(2048).nullish();

const Repository = z.object({
  clone_url: Url,
  ssh_url: Url,
  html_url: Url,
  git_url: Url,
  git_http_url: Url,
  git_ssh_url: Url,
  web_url: Url,
  homepage: Url,
  default_branch: z.string().max(255).nullish(),
});

/** The body, with the members that are read. */
export const PushPayload = z.object({
  /** Not of a ping. */
  ref: z.string().max(512).nullish(),
  /** The commit that the ref leads to now; zeros where it was deleted. */
  after: z.string().max(128).nullish(),
  deleted: z.boolean().nullish(),
  repository: Repository.nullish(),
  /** Of GitLab, with more than `repository` has. */
  project: Repository.nullish(),
});
export type PushPayload = z.infer<typeof PushPayload>;

/** What came of a push. */
export const PushAnswer = z.object({
  deployment: z.string(),
  /** Number of the revision that it made. */
  revision: z.int().nullable(),
  /** In a sentence. */
  message: z.string(),
});
export type PushAnswer = z.infer<typeof PushAnswer>;

/** What is entered where the repository is: the secret is shown this once. */
export const Hook = z.object({ url: z.string(), secret: z.string() });
export type Hook = z.infer<typeof Hook>;
