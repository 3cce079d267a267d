/** What webhooks need of the world. */
import type { PostResult } from "../../rules/webhooks/webhook.ts";

/** What is to be posted when a run has ended: `webhookBody` of it. */
export interface NewWebhook {
  url: string;
  body: string;
}

export interface WebhookDelivery extends NewWebhook {
  run_id: string;
  /** End of the run, in ms since the epoch. */
  ended: number;
  /** 1 for the first try. */
  attempt: number;
}

/** Webhooks that are not delivered yet. They come into being with the end of their run (`RunStore.finish`). */
export interface WebhookStore {
  /**
   * Takes some that are due, in one statement, and none that goes to a `busy` host; they are due again at `until` unless
   * somebody says otherwise before.
   */
  claim(limit: number, now: number, until: number, busy?: readonly string[]): Promise<WebhookDelivery[]>;
  postpone(runId: string, due: number): Promise<void>;
  delete(runId: string): Promise<void>;
  /** When the next one is due that goes to no `busy` host, in ms since the epoch. */
  nextDue(busy?: readonly string[]): Promise<number | undefined>;
}

export interface WebhookMessage {
  /** The same at each try. */
  id: string;
  url: string;
  body: string;
  /** Its own, in place of any other of the same name. */
  headers?: Record<string, string>;
  /** Time of sending, in ms since the epoch. */
  at: number;
}

/** Posts to addresses that callers name. */
export interface Outgoing {
  /** Why nothing may be posted to an address, as far as can be seen without asking for its host. */
  problem(url: string): string | undefined;
  /** Never rejects. */
  post(message: WebhookMessage): Promise<PostResult>;
}
