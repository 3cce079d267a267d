import * as z from "zod";
import { nullish } from "./fields.ts";

/** Rules for the URLs of webhooks. */
const WebhookUrls = z.looseObject({
  require_https: nullish(z.boolean()),
  /** Allowed hosts; `*.x.com` means the subdomains of x.com, not x.com itself. */
  allowed_domains: nullish(z.array(z.string().min(1))),
  allowed_ports: nullish(z.array(z.int().min(1).max(65_535))),
  max_url_length: nullish(z.int().min(1)),
  /** True if paths of this server are refused. */
  disable_loopback: nullish(z.boolean()),
});
export type WebhookUrls = z.infer<typeof WebhookUrls>;

/** Section `webhooks` of the configuration. A header's value may refer to variables: `${{ env.LG_WEBHOOK_TOKEN }}`. */
export const WebhooksConfig = z.looseObject({
  env_prefix: nullish(z.string().min(1)).transform((prefix) => prefix ?? "LG_WEBHOOK_"),
  headers: nullish(
    z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "expected the name of a header"), z.string().max(8192)),
  ),
  url: nullish(WebhookUrls),
});
export type WebhooksConfig = z.infer<typeof WebhooksConfig>;
