import { Fault } from "../protocol/faults.ts";
import { receiverOf } from "../rules/webhooks/receivers.ts";
import { shownRun } from "../rules/runs/shown.ts";
import { decideDelivery, stampedBody, webhookBody } from "../rules/webhooks/webhook.ts";
import { createDeliveryLoop } from "./deliveries.ts";
import type { Loop } from "./loop.ts";
import type { Deployment, Platform, StoredRun } from "./ports/ports.ts";
import type { RunOutcome } from "./ports/run-end.ts";
import type { WebhookDelivery, NewWebhook } from "./ports/webhooks.ts";

/** Checks the webhook of a run. Faults: `invalid` when it is not allowed. */
export function requireWebhook({ config, outgoing }: Deployment, webhook: unknown): void {
  if (config?.http.disable_webhooks) return;
  const problem = typeof webhook === "string" ? outgoing.problem(webhook) : undefined;
  if (problem === undefined) return;
  throw new Fault("invalid", `Invalid body: webhook: ${problem}`, { issues: [{ path: "webhook", message: problem }] });
}

/** Returns the webhook to deliver at the end of a run; undefined when it has none. */
export async function webhookOf(
  { config, threads }: Deployment,
  run: StoredRun,
  outcome: RunOutcome,
): Promise<NewWebhook | undefined> {
  const { webhook } = run.kwargs;
  if (webhook === null || config?.http.disable_webhooks) return undefined;
  const known = outcome.thread?.values ?? outcome.values;
  const thread = known === undefined && run.threaded ? await threads.get(run.thread_id) : undefined;
  const body = webhookBody(shownRun(run), {
    status: outcome.status,
    error: outcome.error?.message,
    values: known ?? JSON.stringify(thread?.values ?? null),
    run_started_at: run.token > 0 ? run.updated_at : null,
  });
  return { url: webhook, body };
}

/** Delivers the webhooks of ended runs. Attempts are repeated with growing pauses until the receiver accepts. */
export function createWebhookLoop(
  platform: Pick<Platform, "clock" | "logger">,
  // The sender belongs to the code that is served, so it is read anew for each attempt.
  deployment: Pick<Deployment, "webhooks" | "outgoing">,
): Loop {
  const { clock, logger } = platform;
  const { webhooks } = deployment;
  const deliver = async ({ run_id, url, body, ended, attempt }: WebhookDelivery): Promise<void> => {
    const at = clock.now();
    const stamped = stampedBody(body, { ended, sent: at });
    const posted = await deployment.outgoing.post({ id: run_id, url, body: stamped, at });
    const decision = decideDelivery(posted, attempt);
    if (decision.do === "again") return await webhooks.postpone(run_id, clock.now() + decision.inMs);
    if (decision.do === "give up") logger.warn(`webhook of run ${run_id} is given up: ${decision.why}`);
    await webhooks.delete(run_id);
  };
  const { claim, nextDue } = webhooks;
  const receiver = ({ url }: WebhookDelivery): string => receiverOf(url);
  return createDeliveryLoop(platform, { plural: "webhooks", claim, nextDue, receiver, deliver });
}
