/** Webhooks for a push from repository hosts: GitHub, GitLab, Gitea and Forgejo. */
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

/** Schema of the members of the body that are read. */
export const PushPayload = z.object({
  /** The pushed ref; absent in a ping. */
  ref: z.string().max(512).nullish(),
  /** The new commit of the ref; all zeros if it was deleted. */
  after: z.string().max(128).nullish(),
  deleted: z.boolean().nullish(),
  repository: Repository.nullish(),
  /** GitLab's description of the repository, with more members than `repository`. */
  project: Repository.nullish(),
});
export type PushPayload = z.infer<typeof PushPayload>;

/** The effect of a push. */
export const PushAnswer = z.object({
  deployment: z.string(),
  /** Number of the revision that it created. */
  revision: z.int().nullable(),
  /** The effect in one sentence. */
  message: z.string(),
});
export type PushAnswer = z.infer<typeof PushAnswer>;

/** Settings to enter at the repository host. The secret is shown only once. */
export const Hook = z.object({ url: z.string(), secret: z.string() });
export type Hook = z.infer<typeof Hook>;
