import * as z from "zod";
import { CardConfig } from "./agent-card.ts";
import { nullish } from "./fields.ts";

const Switch = z.boolean().default(false);

/** Patterns with `*` for any text. Both spellings of the members are in use. */
export const HeaderRule = z
  .looseObject({
    includes: nullish(z.array(z.string())),
    include: nullish(z.array(z.string())),
    excludes: nullish(z.array(z.string())),
    exclude: nullish(z.array(z.string())),
  })
  .transform((rule) => ({ includes: rule.includes ?? rule.include, excludes: rule.excludes ?? rule.exclude }));
export type HeaderRule = z.infer<typeof HeaderRule>;

/** Which pages of other origins may call the API; `max_age` in seconds. */
export const CorsConfig = z.looseObject({
  allow_origins: nullish(z.array(z.string())),
  /** In the syntax of RE2; has to match the whole origin, and wins over `allow_origins`. */
  allow_origin_regex: nullish(z.string().max(1024)),
  allow_methods: nullish(z.array(z.string())),
  allow_headers: nullish(z.array(z.string())),
  allow_credentials: nullish(z.boolean()),
  expose_headers: nullish(z.array(z.string())),
  max_age: nullish(z.int().min(0)),
});
export type CorsConfig = z.infer<typeof CorsConfig>;

/** The section `http` of an application's configuration. */
export const HttpConfig = z.looseObject({
  /** `file:export` of the application's own routes, which are asked before the API's. */
  app: nullish(z.string().regex(/^[^:]+:/, 'expected "./file.ts:export"')),
  /** Whether the application's routes are behind the API's authentication. */
  enable_custom_route_auth: Switch,
  middleware_order: nullish(z.enum(["auth_first", "middleware_first"])),
  disable_assistants: Switch,
  disable_threads: Switch,
  /** Also of threads, and the thread streaming protocol. */
  disable_runs: Switch,
  disable_store: Switch,
  /** `/info` and its like; `/ok` then checks nothing. */
  disable_meta: Switch,
  disable_a2a: Switch,
  a2a: nullish(
    z.looseObject({
      /** Tasks may name an address that is told of their changes, where the server's operator allows that too. */
      push_notifications: Switch,
      /** What the agent cards of all graphs say. */
      card: nullish(CardConfig),
    }),
  ),
  disable_mcp: Switch,
  disable_ui: Switch,
  /** Runs that name a webhook are executed, and their end is told to nobody. */
  disable_webhooks: Switch,
  cors: nullish(CorsConfig),
  /** Which headers of a caller go into the `configurable` of the run. */
  configurable_headers: nullish(HeaderRule),
  /** Which headers of a call are told in the log when it fails by a mistake; none when left out. */
  logging_headers: nullish(HeaderRule),
  /** A path below which the API answers as well. */
  mount_prefix: nullish(
    z
      .string()
      .max(200)
      .regex(/^(?:\/[\w.~-]+)*\/?$/, 'expected a path such as "/api"')
      .transform((path) => path.replace(/\/$/, "")),
  ),
});
export type HttpConfig = z.infer<typeof HttpConfig>;
