import { createHmac } from "node:crypto";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import ipaddr from "ipaddr.js";
import type { WebhookUrls } from "../protocol/webhooks.ts";
import { isPath, type PostResult, webhookProblem } from "../rules/webhooks/webhook.ts";
import type { WebhookMessage, Outgoing } from "../engine/ports/webhooks.ts";
import { fixedLookup, hostOf, isPublic, isRefused, type Resolve, resolveAddresses, resolveHost } from "./addresses.ts";

/** The time limit of a delivery, including the lookup of the host and the response. */
const TIMEOUT_MS = 15_000;
/** Limits on reading the body of a response, of which only the status counts. */
const ANSWER_BYTES = 64 * 1024;
const ANSWER_MS = 1_000;
/** The most informational responses (https://www.rfc-editor.org/rfc/rfc9110#section-15.2) before the final one. */
const HINTS = 16;

export interface OutgoingOptions {
  allowed?: WebhookUrls;
  /** Headers of every message. */
  headers?: Record<string, string>;
  /** Key that signs every message by Standard Webhooks (`webhook-signature`): `whsec_` and base64, or any text. */
  secret?: string;
  /** Allows addresses that are not public. */
  allowPrivate: boolean;
  /** Returns this server's own URL and the headers that authenticate there; undefined before the server listens. */
  self: () => { url: string; headers?: Record<string, string> } | undefined;
  /** Resolves hosts; the system's resolver when left out. */
  resolve?: Resolve;
  timeoutMs?: number;
}

/**
 * Posts to URLs that callers choose. A host is resolved once, all its addresses must be public, and the connection goes
 * to one of these addresses. Redirects are not followed.
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
  return isRefused(host, ipaddr.isValid(host) ? [host] : [], isPublic) ? "expected a public host" : undefined;
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
  if (!options.allowPrivate && isRefused(host, addresses, isPublic))
    return { was: "refused", why: `${host} is not a public host` };
  return await send(url, message, { ...options, signal, lookup: fixedLookup(addresses) });
}

type Sending = Pick<OutgoingOptions, "headers" | "secret"> & Pick<RequestOptions, "lookup"> & { signal: AbortSignal };

function send(url: URL, message: WebhookMessage, { headers, secret, lookup, signal }: Sending): Promise<PostResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResult>();
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
    method: "POST",
    // Connections are not reused, because one to another host must not be used for this host.
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
  // A delivery has succeeded once there is a status, however the response ends.
  const end = (cause: Error): void => (posted ? resolve(posted) : reject(cause));
  request.on("error", end);
  // There may be no error: the connection is closed when a receiver asks for another protocol.
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

/** Returns the headers by which a receiver checks sender and age of a message (https://www.standardwebhooks.com). */
function signature({ id, body, at }: WebhookMessage, secret: string | undefined): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const ids = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (secret === undefined) return ids;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret);
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { ...ids, "webhook-signature": `v1,${digest}` };
}

/** Returns the reason for the server's log: a code if there is one, and no address. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}
