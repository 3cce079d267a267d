/** The host names of this server, and those that belong to a single deployment. */

/** `<name>.agents.<any host>` */
const OWN_HOST = /^([a-z0-9][a-z0-9-]*)\.agents\.(.+)$/;
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const IP_LITERAL = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

/** Returns the name in a `Host` header, in lower case and without the port; undefined if there is none. Total. */
export function hostnameOf(host: string | null | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]]+)(?::\d*)?$/i.exec(host ?? "")?.[1]?.toLowerCase();
}

/**
 * Returns whether a request for this host was meant for this server: a name of the loopback interface, which DNS cannot
 * assign to anybody else, the name in `PUBLIC_URL`, or a deployment's own name below these. Total.
 */
export function isKnownHost(host: string | null | undefined, publicUrl: string | undefined): boolean {
  const name = hostnameOf(host);
  if (name === undefined) return false;
  const isOwn = (one: string): boolean => isLoopback(one) || one === nameIn(publicUrl);
  return isOwn(name) || isOwn(OWN_HOST.exec(name)?.[2] ?? "");
}

/** Returns the deployment whose own host this is; undefined for a host shared with the console. Total. */
export function deploymentOf(host: string | null | undefined, publicUrl: string | undefined): string | undefined {
  const name = hostnameOf(host);
  return name === undefined || name === nameIn(publicUrl) ? undefined : OWN_HOST.exec(name)?.[1];
}

/**
 * Returns a deployment's own origin when the console is at `base`. Undefined when the console is reached by an IP
 * address, which has no names below it; a loopback address is replaced by `localhost`.
 */
export function ownOrigin(base: string, deployment: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  const { protocol, hostname, port } = new URL(base);
  const parent = LOOPBACK.test(hostname) && IP_LITERAL.test(hostname) ? "localhost" : hostname;
  if (IP_LITERAL.test(parent)) return undefined;
  return `${protocol}//${deployment}.agents.${parent}${port === "" ? "" : `:${port}`}`;
}

/** Returns whether a host is an IP address, which DNS cannot assign. Total. */
export function isAddress(host: string | null): boolean {
  return IP_LITERAL.test(hostnameOf(host) ?? "");
}

/** Returns whether a name, in lower case, is one of the loopback interface. Total. */
export function isLoopback(name: string): boolean {
  return LOOPBACK.test(name);
}

function nameIn(publicUrl: string | undefined): string | undefined {
  return publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl).hostname : undefined;
}
