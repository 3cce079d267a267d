import { decideDelivery } from "../../rules/webhooks/webhook.ts";
import { pushHeaders } from "../../rules/a2a/push-notifications.ts";
import { createDeliveryLoop } from "../deliveries.ts";
import type { Loop } from "../loop.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import type { DeliveryOutcome, ClaimedNotification } from "../ports/pushes.ts";
import { openPushConfig, type PushSecrets } from "./task-pushes.ts";

/** Posts push notifications, with growing pauses between attempts. It posts nothing while pushes are off. */
export function createPushLoop(
  platform: Pick<Platform, "clock" | "logger" | "box">,
  deployment: Pick<Deployment, "notifications" | "pushOutgoing" | "pushEnabled">,
): Loop {
  const { clock, logger } = platform;
  const { notifications } = deployment;

  const post = async (notification: ClaimedNotification): Promise<DeliveryOutcome> => {
    let secrets: PushSecrets;
    try {
      secrets = openPushConfig(platform.box, notification);
    } catch {
      return { state: "given_up", settled: clock.now(), why: "the key that sealed its address is gone" };
    }
    const { letter_id: id, body, content_type } = notification;
    const headers = { "content-type": content_type, ...pushHeaders(secrets) };
    const posted = await deployment.pushOutgoing.post({ id, url: secrets.url, body, at: clock.now(), headers });
    const status = posted.was === "answered" ? posted.status : undefined;
    const decision = decideDelivery(posted, notification.attempt);
    const now = clock.now();
    if (decision.do === "again") return { state: "waiting", due: now + decision.inMs, status, why: decision.why };
    if (decision.do === "done") return { state: "delivered", settled: now, status };
    return { state: "given_up", settled: now, status, why: decision.why };
  };
  return createDeliveryLoop(platform, {
    plural: "push notifications",
    claim: async (...how) => (deployment.pushEnabled ? await notifications.claim(...how) : []),
    nextDue: async (busy) => (deployment.pushEnabled ? await notifications.nextDue(busy) : undefined),
    receiver: ({ host }) => host,
    async deliver(notification) {
      const outcome = await post(notification);
      if (outcome.state === "given_up") {
        logger.warn(`a push notification of task ${notification.task_id} is given up: ${outcome.why}`);
      }
      await notifications.settle(notification, outcome);
    },
  });
}
