/** Ports of webhooks. */
import type { PostResult } from "../../rules/webhooks/webhook.ts";

/** The webhook of an ended run; `body` is made by `webhookBody`. */
export interface NewWebhook {
  url: string;
  body: string;
}

export interface WebhookDelivery extends NewWebhook {
  run_id: string;
  /** End of the run, in ms since the epoch. */
  ended: number;
  /** 1 for the first attempt. */
  attempt: number;
}

/**
 * Webhooks that are not delivered yet. They are inserted with the end of their run (`RunEventStore.finish`).
 * Implemented in lib/drivers/sql/webhooks.ts.
 */
export interface WebhookStore {
  /**
   * Claims deliveries that are due and go to no `busy` host, in one statement. They are due again at `until` unless
   * they are postponed or deleted before.
   */
  claim(limit: number, now: number, until: number, busy?: readonly string[]): Promise<WebhookDelivery[]>;
  postpone(runId: string, due: number): Promise<void>;
  delete(runId: string): Promise<void>;
  /** Returns when the next delivery to a host that is not `busy` is due, in ms since the epoch. */
  nextDue(busy?: readonly string[]): Promise<number | undefined>;
}

export interface WebhookMessage {
  /** The same id for each attempt. */
  id: string;
  url: string;
  body: string;
  /** Headers of this message, which override others of the same name. */
  headers?: Record<string, string>;
  /** Time of the attempt, in ms since the epoch. */
  at: number;
}

/** Posts to addresses that callers choose. Implemented in lib/drivers/outgoing.ts. */
export interface Outgoing {
  /** Returns why an address is not allowed, as far as that is known without resolving its host. */
  problem(url: string): string | undefined;
  /** Never rejects. */
  post(message: WebhookMessage): Promise<PostResult>;
}
