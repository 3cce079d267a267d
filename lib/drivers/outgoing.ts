import { createHmac } from "node:crypto";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import ipaddr from "ipaddr.js";
import type { WebhookUrls } from "../protocol/webhooks.ts";
import { isPath, type PostResult, webhookProblem } from "../rules/webhooks/webhook.ts";
import type { WebhookMessage, Outgoing } from "../engine/ports/webhooks.ts";
import { hostOf, isPublic, fixedLookup, type Resolve, resolveAddresses, resolveHost } from "./addresses.ts";

/** From asking for the host to the end of the answer. */
const TIMEOUT_MS = 15_000;
/** Of an answer, only its status counts; more than this is not even read, and not for longer. */
const ANSWER_BYTES = 64 * 1024;
const ANSWER_MS = 1_000;
/** Answers before the answer (https://www.rfc-editor.org/rfc/rfc9110#section-15.2): a receiver may send any number. */
const HINTS = 16;

export interface OutgoingOptions {
  allowed?: WebhookUrls;
  /** Go with every letter. */
  headers?: Record<string, string>;
  /** Signs every letter as Standard Webhooks says (`webhook-signature`); `whsec_` and base64, or any text. */
  secret?: string;
  /** Addresses that are not public may be posted to. */
  allowPrivate: boolean;
  /** Where this server answers itself, and the headers that let it in there; undefined while it does not. */
  self: () => { url: string; headers?: Record<string, string> } | undefined;
  /** The addresses of a host; the system's resolver when left out. */
  resolve?: Resolve;
  timeoutMs?: number;
}

/**
 * Posts to addresses that callers name. A host is asked for once, all its addresses have to be public, and the connection
 * goes to one of these very addresses. Redirects are not followed.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  return {
    problem: (url) => problemOf(url, options),
    async post(message) {
      try {
        return await post(message, options);
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

async function post(message: WebhookMessage, options: OutgoingOptions): Promise<PostResult> {
  const problem = problemOf(message.url, options);
  if (problem !== undefined) return { was: "refused", why: problem };
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  if (isPath(message.url)) {
    const self = options.self();
    if (self === undefined) return { was: "lost", why: "this server does not listen yet" };
    const headers = { ...options.headers, ...self.headers };
    return await send(new URL(self.url.replace(/\/$/, "") + message.url), message, { ...options, headers, signal });
  }
  const url = new URL(message.url);
  const host = hostOf(url);
  const addresses = ipaddr.isValid(host)
    ? [host]
    : await resolveAddresses(host, options.resolve ?? resolveHost, signal);
  const strange = options.allowPrivate ? undefined : addresses.find((address) => !isPublic(address));
  if (strange !== undefined) return { was: "refused", why: `${host} is not a public host` };
  return await send(url, message, { ...options, signal, lookup: fixedLookup(addresses) });
}

type Sending = Pick<OutgoingOptions, "headers" | "secret"> & Pick<RequestOptions, "lookup"> & { signal: AbortSignal };

function send(url: URL, message: WebhookMessage, { headers, secret, lookup, signal }: Sending): Promise<PostResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResult>();
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
      ...message.headers,
      "content-length": Buffer.byteLength(message.body),
      ...signature(message, secret),
    },
  });
  let posted: PostResult | undefined;
  let hints = 0;
  // Once there is a status, whatever comes after it, and however it ends.
  const end = (cause: Error): void => (posted ? resolve(posted) : reject(cause));
  request.on("error", end);
  // Also without an error: a receiver may ask for another protocol, and has its connection closed for it.
  request.once("close", () => posted ?? reject(new Error("the connection ended without an answer")));
  request.on("information", () => {
    if (++hints > HINTS) request.destroy(new Error("too many informational answers"));
  });
  request.once("response", (response) => {
    posted = { was: "answered", status: response.statusCode ?? 0 };
    const patience = setTimeout(() => response.destroy(), ANSWER_MS);
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) response.destroy();
    });
    response.once("error", end);
    response.once("close", () => {
      clearTimeout(patience);
      if (posted) resolve(posted);
    });
  });
  request.end(message.body);
  return promise;
}

/** https://www.standardwebhooks.com: what a receiver needs to know who wrote, and that it is no old letter. */
function signature({ id, body, at }: WebhookMessage, secret: string | undefined): Record<string, string> {
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
