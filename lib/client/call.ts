import type { RunClient } from "../protocol/runs.ts";
import { CLIENT_HEADER } from "../protocol/session.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { accepted } from "./refusal.ts";

/**
 * Calls an operation of a deployment's API. `client` becomes the trigger of the run that the call starts. Throws a
 * `RequestFailure`, or an `AbortError` if the signal aborts.
 */
export async function call(
  method: string,
  url: string,
  body?: object,
  signal?: AbortSignal,
  client?: RunClient,
): Promise<Response> {
  const headers = {
    ...callerHeaders(url),
    ...(body && { "content-type": "application/json" }),
    ...(client && { [CLIENT_HEADER]: client }),
  };
  const init = {
    ...NO_REDIRECTS,
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
    signal: signal ?? null,
  };
  return await accepted(fetch(url, init));
}

/** Casts the answer to the type that docs/api states for the operation. */
export async function read<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

/** A page of a list that is read by cursor. `cursor` is there while more follows, even if the page is empty. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

export async function readPage<T>(response: Response): Promise<CursorPage<T>> {
  const cursor = response.headers.get("x-pagination-cursor");
  return { items: await read<T[]>(response), ...(cursor !== null && { cursor }) };
}

/** The most requests for one page. Each checks thousands of items for a condition that no index answers. */
const MOST_REQUESTS = 5;

/** Reads on while pages are empty although more follows, so that a page of a rare condition shows something if it can. */
export async function firstFound<T>(
  from: string,
  page: (cursor: string) => Promise<CursorPage<T>>,
): Promise<CursorPage<T>> {
  let found = await page(from);
  for (let n = 1; n < MOST_REQUESTS && found.items.length === 0 && found.cursor !== undefined; n++)
    found = await page(found.cursor);
  return found;
}
