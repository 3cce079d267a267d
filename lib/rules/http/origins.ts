/** The pages of other origins that may use a server without a key. */
import { deploymentOf, isLoopback } from "./hosts.ts";

/** Hosted studios, which people open with the address of a server on their own machine. */
const STUDIOS = new Set(["https://smith.langchain.com", "https://eu.smith.langchain.com"]);

/** The parts of a server's settings that decide about an origin. */
export interface Neighbourhood {
  /** The deployment that is called. */
  readonly deployment: string;
  readonly publicUrl: string | undefined;
}

/**
 * Returns whether a page of this origin may call a deployment that names no origins itself. Pages of this machine, of
 * `PUBLIC_URL` and of the studios may. A page of another deployment on the same machine may not, because its code is
 * not trusted. Total.
 */
export function isNeighbour(origin: string, { deployment, publicUrl }: Neighbourhood): boolean {
  const url = originOf(origin);
  if (!url) return false;
  const owner = deploymentOf(url.host, publicUrl);
  if (owner !== undefined && owner !== deployment) return false;
  return isLoopback(url.hostname) || STUDIOS.has(url.origin) || url.origin === originOf(publicUrl)?.origin;
}

/** The headers that show a request's origin: `Host`, `Origin` and `Sec-Fetch-Site` as they were sent. */
export interface RequestSource {
  readonly host: string | null | undefined;
  readonly origin: string | null | undefined;
  readonly site: string | null | undefined;
}

/**
 * Returns whether a request comes from a page of another origin. Programs send neither header; browsers send `Origin`
 * with every request that may change something. A proxy may have replaced `Host`: then the page's origin is that of
 * `PUBLIC_URL`, or the browser sends `same-origin`. Total.
 */
export function isForeign({ host, origin, site }: RequestSource, publicUrl: string | undefined): boolean {
  if (site === "same-origin") return false;
  if (site !== null && site !== undefined && site !== "none") return true;
  if (origin === null || origin === undefined) return false;
  const given = originOf(origin);
  if (!given) return true;
  // Browsers leave out the scheme's default port.
  const isHere = originOf(`${given.protocol}//${host ?? ""}`)?.origin === given.origin;
  return !isHere && given.origin !== originOf(publicUrl)?.origin;
}

function originOf(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}
