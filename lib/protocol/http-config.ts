import * as z from "zod";
import { CardConfig } from "./agent-card.ts";
import { nullish } from "./fields.ts";

const Switch = z.boolean().default(false);

/** Patterns of header names, with `*` for any text. Both spellings of the members are in use. */
export const HeaderRule = z
  .looseObject({
    includes: nullish(z.array(z.string())),
    include: nullish(z.array(z.string())),
    excludes: nullish(z.array(z.string())),
    exclude: nullish(z.array(z.string())),
  })
  .transform((rule) => ({ includes: rule.includes ?? rule.include, excludes: rule.excludes ?? rule.exclude }));
export type HeaderRule = z.infer<typeof HeaderRule>;

/** Rules for pages of other origins that may call the API. `max_age` is in seconds. */
export const CorsConfig = z.looseObject({
  allow_origins: nullish(z.array(z.string())),
  /** Regular expression in RE2 syntax. It must match the whole origin and takes precedence over `allow_origins`. */
  allow_origin_regex: nullish(z.string().max(1024)),
  allow_methods: nullish(z.array(z.string())),
  allow_headers: nullish(z.array(z.string())),
  allow_credentials: nullish(z.boolean()),
  expose_headers: nullish(z.array(z.string())),
  max_age: nullish(z.int().min(0)),
});
export type CorsConfig = z.infer<typeof CorsConfig>;

/** Section `http` of an application's configuration. */
export const HttpConfig = z.looseObject({
  /** `file:export` of the application's own routes, which take precedence over the API's. */
  app: nullish(z.string().regex(/^[^:]+:/, 'expected "./file.ts:export"')),
  /** True if the application's routes require the API's authentication. */
  enable_custom_route_auth: Switch,
  middleware_order: nullish(z.enum(["auth_first", "middleware_first"])),
  disable_assistants: Switch,
  disable_threads: Switch,
  /** Disables all runs, also those on threads, and the thread streaming protocol. */
  disable_runs: Switch,
  disable_store: Switch,
  /** Disables `/info` and similar paths; `/ok` then checks nothing. */
  disable_meta: Switch,
  disable_a2a: Switch,
  a2a: nullish(
    z.looseObject({
      /** True if tasks may have push notifications, if the server's operator allows them too. */
      push_notifications: Switch,
      /** Content of the agent cards of all graphs. */
      card: nullish(CardConfig),
    }),
  ),
  disable_mcp: Switch,
  disable_ui: Switch,
  /** Disables webhooks. Runs with a webhook are executed without calling it. */
  disable_webhooks: Switch,
  cors: nullish(CorsConfig),
  /** Headers of a request that are copied into the `configurable` of the run. */
  configurable_headers: nullish(HeaderRule),
  /** Headers of a request that are logged when it fails because of a bug; none by default. */
  logging_headers: nullish(HeaderRule),
  /** A path below which the API is served as well. */
  mount_prefix: nullish(
    z
      .string()
      .max(200)
      .regex(/^(?:\/[\w.~-]+)*\/?$/, 'expected a path such as "/api"')
      .transform((path) => path.replace(/\/$/, "")),
  ),
});
export type HttpConfig = z.infer<typeof HttpConfig>;
