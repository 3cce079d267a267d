/**
 * A page that is open in a browser is refreshed with its response sent whole. A response that breaks off in the middle, as
 * when its server is killed, would replace the page by an error, while one that never begins is asked for again.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { parseJson } from "../protocol/json.ts";

/** Returns whether Next's router asks for all of a page anew: the root of its tree of segments then has this mark. */
export function isRefresh(headers: IncomingHttpHeaders): boolean {
  const tree = headers["next-router-state-tree"];
  if (typeof tree !== "string") return false;
  const root = parseJson(decoded(tree));
  return Array.isArray(root) && root[3] === "refetch";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const PAGE = "text/x-component";

/** Keeps what is written to a response until its end, if it is a page. Streams of the API have no end. */
export function sendWhole(response: ServerResponse): void {
  const pieces: Uint8Array[] = [];
  const { write, end, flushHeaders } = response;
  const isPage = (): boolean => String(response.getHeader("content-type")).startsWith(PAGE);
  const add = (piece: unknown): void => {
    if (typeof piece === "string") pieces.push(Buffer.from(piece));
    if (piece instanceof Uint8Array) pieces.push(piece);
  };
  response.flushHeaders = () => {
    if (!isPage()) flushHeaders.call(response);
  };
  response.write = (...given: unknown[]) => {
    if (!isPage()) return Reflect.apply(write, response, given) as boolean;
    add(given[0]);
    return true;
  };
  response.end = (...given: unknown[]) => {
    if (!isPage()) return Reflect.apply(end, response, given) as ServerResponse;
    add(given[0]);
    return Reflect.apply(end, response, [Buffer.concat(pieces)]) as ServerResponse;
  };
}
