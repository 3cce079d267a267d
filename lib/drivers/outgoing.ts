import { createHmac } from "node:crypto";
import { lookup as lookupHost } from "node:dns/promises";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { WebhookUrls } from "../protocol/webhooks.ts";
import { isPath, type Posted, webhookProblem } from "../rules/webhook.ts";
import type { Letter, Outgoing } from "../engine/webhook-ports.ts";

/** From asking for the host to the end of the answer. */
const TIMEOUT_MS = 15_000;
/** Of an answer, only its status counts; more than this is not even read. */
const ANSWER_BYTES = 64 * 1024;

export interface OutgoingOptions {
  allowed?: WebhookUrls;
  /** Go with every letter. */
  headers?: Record<string, string>;
  /** Signs every letter as Standard Webhooks says (`webhook-signature`); `whsec_` and base64, or any text. */
  secret?: string;
  /** Addresses that are not public may be posted to. */
  allowPrivate: boolean;
  /** Where this server answers itself; undefined while it does not. */
  self: () => string | undefined;
  /** The addresses of a host; the system's resolver when left out. */
  resolve?: (host: string) => Promise<string[]>;
  timeoutMs?: number;
}

/**
 * Posts to addresses that callers name. A host is asked for once, all its addresses have to be public, and the connection
 * goes to one of these very addresses. Redirects are not followed.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  return {
    problem: (url) => problemOf(url, options),
    async post(letter) {
      try {
        return await post(letter, options);
      } catch (error) {
        return { was: "lost", why: reasonOf(error) };
      }
    },
  };
}

function problemOf(url: string, { allowed, allowPrivate }: OutgoingOptions): string | undefined {
  const problem = webhookProblem(url, allowed);
  if (problem !== undefined || allowPrivate || isPath(url)) return problem;
  const host = hostOf(new URL(url));
  const isHere = /(^|\.)localhost\.?$/.test(host);
  return isHere || (ipaddr.isValid(host) && !isPublic(host)) ? "expected a public host" : undefined;
}

async function post(letter: Letter, options: OutgoingOptions): Promise<Posted> {
  const problem = problemOf(letter.url, options);
  if (problem !== undefined) return { was: "refused", why: problem };
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  if (isPath(letter.url)) {
    const self = options.self();
    if (self === undefined) return { was: "lost", why: "this server does not listen yet" };
    return await send(new URL(self.replace(/\/$/, "") + letter.url), letter, { ...options, signal });
  }
  const url = new URL(letter.url);
  const host = hostOf(url);
  const addresses = ipaddr.isValid(host) ? [host] : await resolved(host, options.resolve ?? resolveHost, signal);
  const strange = options.allowPrivate ? undefined : addresses.find((address) => !isPublic(address));
  if (strange !== undefined) return { was: "refused", why: `${host} is not a public host` };
  return await send(url, letter, { ...options, signal, lookup: only(addresses) });
}

/** Whether everybody's network leads there: not this machine's, not a private one, nothing in disguise of another. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  // Of IPv6, only this much has been given out as public so far.
  return address.kind() === "ipv4" || address.match(ipaddr.parseCIDR("2000::/3"));
}

/** Without the brackets around an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

async function resolveHost(host: string): Promise<string[]> {
  return (await lookupHost(host, { all: true })).map(({ address }) => address);
}

async function resolved(
  host: string,
  resolve: (host: string) => Promise<string[]>,
  signal: AbortSignal,
): Promise<string[]> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  const addresses = await Promise.race([resolve(host), promise]);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

/** A resolver that knows these addresses only. */
function only(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === "ipv6" ? 6 : 4 }));
  return (_host, { all }, done) => {
    const [first = { address: "", family: 4 }] = known;
    if (all) done(null, known);
    else done(null, first.address, first.family);
  };
}

type Sending = Pick<OutgoingOptions, "headers" | "secret"> & Pick<RequestOptions, "lookup"> & { signal: AbortSignal };

function send(url: URL, letter: Letter, { headers, secret, lookup, signal }: Sending): Promise<Posted> {
  const { promise, resolve, reject } = Promise.withResolvers<Posted>();
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
    method: "POST",
    // A connection of its own: another host's is not to be used for this one.
    agent: false,
    signal,
    lookup,
    headers: {
      "user-agent": "graphlib",
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(letter.body),
      ...signature(letter, secret),
    },
  });
  request.once("error", reject);
  request.once("response", (response) => {
    const posted: Posted = { was: "answered", status: response.statusCode ?? 0 };
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) response.destroy();
    });
    // Whatever comes after the status, and however it ends.
    response.once("error", () => resolve(posted));
    response.once("close", () => resolve(posted));
  });
  request.end(letter.body);
  return promise;
}

/** https://www.standardwebhooks.com: what a receiver needs to know who wrote, and that it is no old letter. */
function signature({ id, body, at }: Letter, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const ids = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (secret === undefined) return ids;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret);
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { ...ids, "webhook-signature": `v1,${digest}` };
}

/** For the server's log: a code where there is one, and no address. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}
