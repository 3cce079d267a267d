/** Decides which deployments a push concerns, and whether it deploys them. */
import type { SettingsPatch } from "../../protocol/control.ts";
import type { PushPayload } from "../../protocol/push.ts";
import type { Source } from "../../protocol/sources.ts";
import { repositoryOf } from "./git-address.ts";

/** The proof that a sender knows the secret: a digest of the body, in hexadecimal, or the secret itself. */
export type PushProof = { hmac: string } | { token: string };

type PushHeaders = Readonly<Record<string, string | undefined>>;

const DIGEST = /^[0-9a-f]{64}$/;

/** Reads the proof from headers with lower-case names; undefined when they have none of the known forms. Total. */
export function readProof(headers: PushHeaders): PushProof | undefined {
  const digest =
    /^sha256=(.*)$/s.exec(headers["x-hub-signature-256"] ?? "")?.[1] ??
    headers["x-gitea-signature"] ??
    headers["x-forgejo-signature"];
  if (digest !== undefined) return DIGEST.test(digest) ? { hmac: digest } : undefined;
  const token = headers["x-gitlab-token"];
  return token === undefined || token === "" ? undefined : { token };
}

const EVENTS: Readonly<Record<string, "push" | "ping">> = {
  push: "push",
  "Push Hook": "push",
  "Tag Push Hook": "push",
  ping: "ping",
};

/** Returns the event of the request. Total. */
export function readEvent(headers: PushHeaders): "push" | "ping" | "other" {
  const name =
    headers["x-github-event"] ?? headers["x-gitlab-event"] ?? headers["x-gitea-event"] ?? headers["x-forgejo-event"];
  return name !== undefined && Object.hasOwn(EVENTS, name) ? (EVENTS[name] ?? "other") : "other";
}

/** Returns the id of a delivery, which stays the same when it is sent again. Total. */
export function readDelivery(headers: PushHeaders): string | undefined {
  const id = headers["x-github-delivery"] ?? headers["x-gitea-delivery"] ?? headers["x-gitlab-event-uuid"];
  return id !== undefined && /^[\w-]{1,100}$/.test(id) ? id : undefined;
}

/** Returns whether a source is the repository that was pushed to, by any of its addresses. Total. */
export function isOfPush(source: Source, { repository, project }: PushPayload): boolean {
  if (source.type !== "git") return false;
  const own = repositoryOf(source.url);
  if (own === undefined) return false;
  return [repository, project]
    .flatMap((one) => (one ? Object.entries(one) : []))
    .some(([name, url]) => name !== "default_branch" && typeof url === "string" && repositoryOf(url) === own);
}

export interface Pushed {
  name: string;
  source: Source;
  settings: Pick<SettingsPatch, "auto_deploy">;
  wanted: "running" | "stopped" | "deleted";
}

/** Returns the commit to deploy for a push of the deployment's repository, or why it is not deployed. Total. */
export function decidePush(deployment: Pushed, push: PushPayload): { sha: string } | { why: string } {
  const { name, source, settings, wanted } = deployment;
  const { ref, after, deleted } = push;
  if (source.type !== "git") return { why: `${name} has no repository` };
  if (!ref || !after) return { why: "It names no ref and commit" };
  if (deleted || /^0+$/.test(after)) return { why: `${shortRef(ref)} was deleted` };
  const branch = push.project?.default_branch ?? push.repository?.default_branch;
  const own = source.ref ?? branch;
  if (!own) return { why: "It does not say which branch is the default one, and the deployment names none" };
  if (![own, `refs/heads/${own}`, `refs/tags/${own}`].includes(ref)) {
    return { why: `${name} is deployed from ${own}, and this is ${shortRef(ref)}` };
  }
  if (wanted !== "running") return { why: `${name} is stopped: start it to have pushes deployed` };
  if (settings.auto_deploy === false) return { why: `Pushes are not deployed: auto_deploy of ${name} is off` };
  return { sha: after };
}

function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, "");
}
