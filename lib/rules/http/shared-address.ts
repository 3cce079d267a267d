/**
 * What an application's answers may say to a browser. At an address that its deployment shares with the console and with
 * other deployments, nothing that reaches beyond the answer itself.
 */
import { deploymentOf } from "./hosts.ts";

type Header = [name: string, value: string];

/** A document under this policy has an origin of nobody: no script, no form, no cookie and no storage of the console. */
const SANDBOX: Header = ["content-security-policy", "sandbox"];

/** A browser keeps what these say for the whole origin, or does it to the whole origin. */
const OF_ORIGIN = new Set([
  // They would set the console's session.
  "set-cookie",
  "set-login",
  "secure-session-registration",
  "sec-session-registration",
  // It would put a worker of the application between the browser and the console.
  "service-worker-allowed",
  // They choose for weeks how the browser reaches this host.
  "strict-transport-security",
  "alt-svc",
  // They have the browser report what it asks of this host, with addresses and ids, to somebody else.
  "nel",
  "report-to",
  "reporting-endpoints",
  // They change how the browser runs, or what it sends with, the console's own pages.
  "origin-agent-cluster",
  "accept-ch",
  "critical-ch",
  "origin-trial",
  "speculation-rules",
  "use-as-dictionary",
]);

/** Ways to sign in by a dialogue of the browser, which shows the console's address and sends the answer to all of it. */
const BY_DIALOGUE = /(?:^|,)\s*(?:basic|digest|negotiate|ntlm)\b/i;

/** Whether the application answers among others here, and not at its deployment's own host. */
export function isShared(host: string | null, publicUrl: string | undefined): boolean {
  return deploymentOf(host, publicUrl) === undefined;
}

/** It deletes the cookies of the whole site, from a deployment's own host those of the console above it. */
const OF_SITE = "clear-site-data";

/**
 * Tells whether an answer would redirect a page of the console that asked by script. The browser would follow with the
 * console's session, by the same method and with the same body, to whatever the application names. No page of an
 * application is of the same origin at a shared address.
 */
export function leadsConsole(status: number, { site, mode }: { site: string | null; mode: string | null }): boolean {
  return status >= 300 && status < 400 && site === "same-origin" && mode !== "navigate";
}

/** What is left of the headers that an application adds to an answer of the platform. Names are in lower case. */
export function addedHeaders(headers: readonly Header[], shared: boolean): Header[] {
  return headers.filter(([name, value]) => name !== OF_SITE && (!shared || isOfAnswer(name, value)));
}

/** What is left of the headers of an answer that an application gives itself. Names are in lower case. */
export function answerHeaders(headers: readonly Header[], shared: boolean): Header[] {
  const kept = addedHeaders(headers, shared);
  return shared ? [...kept.filter(([name]) => !name.startsWith("content-security-policy")), SANDBOX] : kept;
}

function isOfAnswer(name: string, value: string): boolean {
  if (name === "www-authenticate" || name === "proxy-authenticate") return !BY_DIALOGUE.test(value);
  return !OF_ORIGIN.has(name);
}
