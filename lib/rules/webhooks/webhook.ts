import type { Run } from "../../protocol/runs.ts";
import type { RunEnd } from "../../protocol/stream.ts";
import type { WebhookUrls } from "../../protocol/webhooks.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** Returns why runs may not name this webhook. The IP address of its host is checked elsewhere. */
export function webhookProblem(webhook: string, allowed: WebhookUrls = {}): string | undefined {
  const { max_url_length = 65_536, require_https, allowed_domains, allowed_ports, disable_loopback } = allowed;
  if (webhook.length > max_url_length) return `expected at most ${max_url_length} characters`;
  if (isPath(webhook)) return disable_loopback ? "expected an absolute URL" : undefined;
  const url = URL.canParse(webhook) ? new URL(webhook) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return `expected an http(s) URL${disable_loopback ? "" : ", or a path of this server"}`;
  if (url.username !== "" || url.password !== "") return "expected a URL without user and password";
  if (require_https && url.protocol !== "https:") return "expected an https URL";
  if (allowed_domains && !allowed_domains.some((domain) => isWithin(url.hostname, domain.toLowerCase()))) {
    return `expected a host among ${allowed_domains.join(", ")}`;
  }
  if (allowed_ports && !allowed_ports.includes(portOf(url))) return `expected a port among ${allowed_ports.join(", ")}`;
  return undefined;
}

const HERE = "http://here.invalid/here";

/** Returns whether a webhook is a path below this deployment, which can neither name another host nor leave it. */
export function isPath(webhook: string): boolean {
  if (!webhook.startsWith("/") || !URL.canParse(webhook, HERE)) return false;
  return new URL(webhook, HERE).origin === new URL(HERE).origin && new URL(HERE + webhook).href.startsWith(`${HERE}/`);
}

function isWithin(host: string, domain: string): boolean {
  return domain.startsWith("*.") ? host.endsWith(domain.slice(1)) : host === domain;
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

const VARIABLE = /\$\{\{\s*env\.(\w+)\s*\}\}/g;

/** Fills in the variables of headers. `problem` names a variable that is not set or lacks the prefix. */
export function fillHeaders(
  { headers = {}, env_prefix }: { headers?: Record<string, string>; env_prefix: string },
  variables: Readonly<Record<string, string | undefined>>,
): { headers: Record<string, string>; problem?: string } {
  const filled: Record<string, string> = {};
  for (const [header, template] of Object.entries(headers)) {
    const missing = Array.from(template.matchAll(VARIABLE), ([, name = ""]) => name).find(
      (name) => !name.startsWith(env_prefix) || variables[name] === undefined,
    );
    if (missing !== undefined) {
      const why = missing.startsWith(env_prefix) ? "is not set" : `does not begin with ${env_prefix}`;
      return { headers: {}, problem: `webhooks.headers.${header}: the variable ${missing} ${why}` };
    }
    filled[header] = template.replace(VARIABLE, (_, name: string) => variables[name] ?? "");
  }
  return { headers: filled };
}

/** The most characters of values in a webhook. A receiver requests larger ones itself. */
const VALUES_LIMIT = 10 * 1024 * 1024;

export interface WebhookEnd {
  status: RunEnd["status"];
  /** The message of the error. */
  error?: string;
  /** The last values as JSON text. */
  values?: string;
  /** The time at which the run began; null when it never did. */
  run_started_at: string | null;
}

/** Builds the body for a run that has ended, without its times. `values` of more than 10 MB are left out. */
export function webhookBody(run: Run, { values = "null", ...end }: WebhookEnd): string {
  const { updated_at: _, started_at: _started, ended_at: _ended, first_token_at: _token, error: _error, ...rest } = run;
  const head = JSON.stringify({ ...rest, ...end }).slice(0, -1);
  return `${head},"values":${values.length > VALUES_LIMIT ? "null" : values}}`;
}

/** Adds the times (ms since the epoch) to a body before it is sent. */
export function stampedBody(body: string, { ended, sent }: { ended: number; sent: number }): string {
  const end = isoTime(ended);
  const times = { updated_at: end, run_ended_at: end, webhook_sent_at: isoTime(sent) };
  return `${JSON.stringify(times).slice(0, -1)},${body.slice(1)}`;
}

/** The pause after each attempt. After the last one, nine hours after the first, the webhook is given up. */
const PAUSES_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3600, 6 * 3600].map((seconds) => seconds * 1000);

/** The outcome of one attempt to post. */
export type PostResult =
  | { was: "answered"; status: number }
  /** No response came, but a retry may succeed. */
  | { was: "lost"; why: string }
  /** The address is not allowed. */
  | { was: "refused"; why: string };

export type DeliveryDecision =
  | { do: "done" }
  | { do: "again"; inMs: number; why: string }
  | { do: "give up"; why: string };

/** Decides what to do after an attempt (1 is the first). */
export function decideDelivery(posted: PostResult, attempt: number): DeliveryDecision {
  if (posted.was === "answered" && posted.status >= 200 && posted.status < 300) return { do: "done" };
  const why = posted.was === "answered" ? `answered ${posted.status}` : posted.why;
  // 410 means that the receiver is gone for good.
  const never = posted.was === "refused" || (posted.was === "answered" && posted.status === 410);
  const pause = PAUSES_MS[attempt - 1];
  return never || pause === undefined ? { do: "give up", why } : { do: "again", inMs: pause, why };
}
