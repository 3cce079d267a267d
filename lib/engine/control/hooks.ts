import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Fault } from "../../protocol/faults.ts";
import type { PushAnswer, PushPayload } from "../../protocol/push.ts";
import { decidePush, isOfPush, type PushProof } from "../../rules/sources/git-push.ts";
import type { StoredDeployment } from "../ports/builds.ts";
import { timeOf } from "./build-step.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** The time for which the id of a delivery is kept. */
const DAY_MS = 24 * 3_600_000;

/** Creates the secret that signs pushes of a deployment's repository, and replaces an existing one. */
export async function makeHook({ variables, box }: ControlPlane, deployment: StoredDeployment): Promise<string> {
  if (deployment.source.type !== "git") {
    throw new Fault(
      "conflict",
      `Deployment "${deployment.name}" is not deployed from a repository that could be pushed to`,
    );
  }
  const secret = randomBytes(32).toString("base64url");
  await variables.setHook(deployment.deployment_id, box.seal(secret));
  return secret;
}

/** Removes the secret, so that pushes are refused. */
export async function removeHook({ variables }: ControlPlane, { deployment_id }: StoredDeployment): Promise<void> {
  await variables.setHook(deployment_id, undefined);
}

/** Returns whether a push to the deployment's repository makes a revision. */
export async function deploysPushes(
  { variables }: ControlPlane,
  { deployment_id, source, settings }: StoredDeployment,
): Promise<boolean> {
  if (source.type !== "git" || !settings.auto_deploy) return false;
  return (await variables.hook(deployment_id)) !== undefined;
}

/** A push as it was received. */
export interface ReceivedPush {
  event: "push" | "ping" | "other";
  payload: PushPayload;
  delivery: string | undefined;
}

/**
 * Deploys a push to the signer whose repository it is of. Faults: `unauthorized` when it is of none of their
 * repositories, even when another deployment has it.
 */
export async function receivePush(
  platform: Platform,
  control: ControlPlane,
  signers: readonly StoredDeployment[],
  push: ReceivedPush,
): Promise<PushAnswer> {
  const deployment = signers.findLast(({ source }) => isOfPush(source, push.payload));
  if (!deployment) throw unsigned();
  const { name, deployment_id, source } = deployment;
  const nothing = (message: string): PushAnswer => ({ deployment: name, revision: null, message });
  if (push.event === "ping") return nothing(`Pushes will deploy ${name}`);
  if (push.event === "other") return nothing("This event is ignored: only pushes deploy");
  const decided = decidePush(deployment, push.payload);
  if ("why" in decided) return nothing(decided.why);
  const now = platform.clock.now();
  const delivery = push.delivery ?? platform.newId();
  const queued = await control.revisions.queuePush(
    deployment_id,
    { trigger: "push", source, build_of: null, created_at: timeOf(platform) },
    { delivery, sha: decided.sha, since: isoTime(now - DAY_MS) },
  );
  if (!queued) return nothing("This push was received before");
  control.emitChange(name);
  control.wake();
  return { deployment: name, revision: queued.number, message: `Revision ${queued.number} of ${name} deploys it` };
}

/**
 * Returns the deployments whose secret the request proves, by a token or by the signature of its `body`. The secrets of
 * all deployments are compared, so that the duration reveals nothing; `pause` is called before each. Faults:
 * `unauthorized` when there is none.
 */
export async function findSigners(
  platform: Platform,
  { deployments, variables, box }: ControlPlane,
  proof: PushProof | undefined,
  body: Uint8Array = new Uint8Array(),
  pause?: () => Promise<void>,
): Promise<StoredDeployment[]> {
  if (!proof) throw unsigned();
  const signers: StoredDeployment[] = [];
  for (const candidate of await deployments.list()) {
    if (candidate.wanted === "deleted" || candidate.source.type !== "git") continue;
    const sealed = await variables.hook(candidate.deployment_id);
    if (sealed === undefined) continue;
    await pause?.();
    try {
      if (isProof(proof, body, box.open(sealed))) signers.push(candidate);
    } catch (error) {
      platform.logger.error(`the webhook of deployment ${candidate.name} can't be checked`, error);
    }
  }
  if (signers.length === 0) throw unsigned();
  return signers;
}

function unsigned(): Fault {
  return new Fault("unauthorized", "The signature is missing or wrong");
}

/** Compares digests, so that the duration reveals neither length nor content. */
function isProof(proof: PushProof, body: Uint8Array, secret: string): boolean {
  const [given, expected] =
    "token" in proof ? [proof.token, secret] : [proof.hmac, createHmac("sha256", secret).update(body).digest("hex")];
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
