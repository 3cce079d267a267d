/** Which pages of other origins may use a server that asks nobody for a key. */
import { deploymentOf, isLoopback } from "./hosts.ts";

/** Hosted studios that people open with the address of a server on their own machine. */
const STUDIOS = new Set(["https://smith.langchain.com", "https://eu.smith.langchain.com"]);

/** What is to be known of a server to judge an origin. */
export interface Neighbourhood {
  /** The deployment that is called. */
  readonly deployment: string;
  readonly publicUrl: string | undefined;
}

/**
 * Whether a page of this origin may call a deployment that names no origins itself: pages of this machine, of
 * `PUBLIC_URL` and of the studios. A page of another deployment is code of others on the same machine, and is none of
 * these. Total.
 */
export function isNeighbour(origin: string, { deployment, publicUrl }: Neighbourhood): boolean {
  const url = originOf(origin);
  if (!url) return false;
  const owner = deploymentOf(url.host, publicUrl);
  if (owner !== undefined && owner !== deployment) return false;
  return isLoopback(url.hostname) || STUDIOS.has(url.origin) || url.origin === originOf(publicUrl)?.origin;
}

/** Where a request comes from, as a browser says it: `Host`, `Origin` and `Sec-Fetch-Site` as they were sent. */
export interface Sender {
  readonly host: string | null | undefined;
  readonly origin: string | null | undefined;
  readonly site: string | null | undefined;
}

/**
 * Whether a request comes from a page of another origin. Programs send neither header, browsers send `Origin` with every
 * request that may change something. A proxy may have replaced `Host`: then the page's origin is that of `PUBLIC_URL`,
 * or the browser says itself that both are one. Total.
 */
export function isForeign({ host, origin, site }: Sender, publicUrl: string | undefined): boolean {
  if (site === "same-origin") return false;
  if (site !== null && site !== undefined && site !== "none") return true;
  if (origin === null || origin === undefined) return false;
  const given = originOf(origin);
  if (!given) return true;
  // Browsers leave the port out where it is the scheme's own.
  const isHere = originOf(`${given.protocol}//${host ?? ""}`)?.origin === given.origin;
  return !isHere && given.origin !== originOf(publicUrl)?.origin;
}

function originOf(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}
