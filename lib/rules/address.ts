/** Names of the API's resources: at the bare root they belong to the deployment called `default`. */
const RESOURCES = new Set(["ok", "info", "assistants", "threads", "runs", "store", "a2a", ".well-known"]);

/** `<name>.agents.<any host>` */
const OWN_HOST = /^([a-z0-9][a-z0-9-]*)\.agents\../i;

/** Where agent cards lay in version 0.2 of the protocol. */
const OLD_CARD = /^(\/agents\/.*\/\.well-known\/)agent\.json$/;

/**
 * The one route that a request means, by its Host header and its path: a deployment answers at its own host, below
 * `/agents/<name>`, and the deployment called `default` at the bare root too. All other paths stay as they are. Total.
 */
export function routeOf(host: string | undefined, url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return deploymentPath(host, path).replace(OLD_CARD, "$1agent-card.json") + (end < 0 ? "" : url.slice(end));
}

function deploymentPath(host: string | undefined, path: string): string {
  const own = OWN_HOST.exec(host ?? "")?.[1];
  if (own !== undefined) return `/agents/${own.toLowerCase()}${path}`;
  return RESOURCES.has(path.split("/", 2)[1] ?? "") ? `/agents/default${path}` : path;
}
