import { deploymentOf } from "./hosts.ts";

/** First segments of the API's paths. At the bare root they belong to the deployment called `default`. */
const RESOURCES = new Set(["ok", "info", "assistants", "threads", "runs", "store", "a2a", ".well-known"]);

/** First segments of the paths of the console and its files. */
const CONSOLE = new Set(["", "agents", "api", "deployments", "sign-in", "_next", "icon.svg", "favicon.ico"]);

/** The path of agent cards in version 0.2 of the protocol. */
const OLD_CARD = /^(\/agents\/.*\/\.well-known\/)agent\.json$/;

/** Matches a deployment's address: its name, and the path below. */
const NAMED = /^\/agents\/([^/]+)(\/.*)$/;

/** The part of a deployment's configuration that decides its routes. */
export interface Mount {
  /** A path below which it answers as well, without a final slash. */
  readonly prefix?: string;
  /** Set when the application has routes of its own, at any path except those of the console. */
  readonly ownRoutes?: boolean;
}

/**
 * Returns the one route that a request means, by its Host header and its path. A deployment answers at its own host and
 * below `/agents/<name>`; the deployment called `default` answers at the bare root too. All other paths stay as they
 * are. Total.
 */
export function routeOf(
  host: string | undefined,
  url: string,
  mountOf: (deployment: string) => Mount | undefined = () => undefined,
  publicUrl?: string,
): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const route = deploymentPath(deploymentOf(host, publicUrl), path, mountOf);
  return route.replace(OLD_CARD, "$1agent-card.json") + (end < 0 ? "" : url.slice(end));
}

function deploymentPath(
  own: string | undefined,
  path: string,
  mountOf: (deployment: string) => Mount | undefined,
): string {
  if (own !== undefined) return `/agents/${own}${below(path, mountOf(own))}`;
  const [, name, rest] = NAMED.exec(path) ?? [];
  if (name !== undefined && rest !== undefined) return `/agents/${name}${below(rest, mountOf(name))}`;
  const mount = mountOf("default");
  const bare = below(path, mount);
  const head = bare.split("/", 2)[1] ?? "";
  const isRoute = mount?.ownRoutes === true && /^\/\w/.test(bare) && !CONSOLE.has(head);
  return RESOURCES.has(head) || isRoute ? `/agents/default${bare}` : path;
}

/** Returns the path without the mount's prefix, if it has it. */
function below(path: string, { prefix = "" }: Mount = {}): string {
  return prefix !== "" && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}
