/**
 * Filters the response headers of an application. At an address that its deployment shares with the console and other
 * deployments, no header may affect more than the answer itself.
 */
import { deploymentOf } from "./hosts.ts";

type Header = [name: string, value: string];

/** A document under this policy has an opaque origin: it has no scripts, forms, cookies or storage of the console. */
const SANDBOX: Header = ["content-security-policy", "sandbox"];

/** Headers that a browser stores for the whole origin, or applies to it. */
const OF_ORIGIN = new Set([
  // These would set the console's session.
  "set-cookie",
  "set-login",
  "secure-session-registration",
  "sec-session-registration",
  // This would put a service worker of the application between the browser and the console.
  "service-worker-allowed",
  // These decide for weeks how the browser reaches this host.
  "strict-transport-security",
  "alt-svc",
  // These make the browser report its requests to this host, with addresses and ids, to a third party.
  "nel",
  "report-to",
  "reporting-endpoints",
  // These change how the browser runs the console's own pages, or what it sends with them.
  "origin-agent-cluster",
  "accept-ch",
  "critical-ch",
  "origin-trial",
  "speculation-rules",
  "use-as-dictionary",
]);

/** Authentication schemes with a browser dialogue, which sends the credentials to all of the console's address. */
const BY_DIALOGUE = /(?:^|,)\s*(?:basic|digest|negotiate|ntlm)\b/i;

/** Returns whether this host is shared with others, and not the deployment's own. */
export function isShared(host: string | null, publicUrl: string | undefined): boolean {
  return deploymentOf(host, publicUrl) === undefined;
}

/** This deletes the cookies of the whole site; sent from a deployment's own host, also the console's above it. */
const OF_SITE = "clear-site-data";

/**
 * Returns whether an answer would redirect a script request of a console page. The browser would follow with the
 * console's session, by the same method and with the same body, to whatever address the application names. No page of
 * an application is of the same origin at a shared address.
 */
export function leadsConsole(status: number, { site, mode }: { site: string | null; mode: string | null }): boolean {
  return status >= 300 && status < 400 && site === "same-origin" && mode !== "navigate";
}

/** Returns the headers that an application may add to an answer of the platform. Names are in lower case. */
export function addedHeaders(headers: readonly Header[], shared: boolean): Header[] {
  return headers.filter(([name, value]) => name !== OF_SITE && (!shared || isOfAnswer(name, value)));
}

/** Returns the headers that an application may set on its own answers. Names are in lower case. */
export function answerHeaders(headers: readonly Header[], shared: boolean): Header[] {
  const kept = addedHeaders(headers, shared);
  return shared ? [...kept.filter(([name]) => !name.startsWith("content-security-policy")), SANDBOX] : kept;
}

function isOfAnswer(name: string, value: string): boolean {
  if (name === "www-authenticate" || name === "proxy-authenticate") return !BY_DIALOGUE.test(value);
  return !OF_ORIGIN.has(name);
}
