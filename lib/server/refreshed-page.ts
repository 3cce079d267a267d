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

/** Keeps what is written to a response until its end. */
export function sendWhole(response: ServerResponse): void {
  const pieces: Buffer[] = [];
  const add = (piece: unknown): void => {
    if (typeof piece === "string" || piece instanceof Uint8Array) pieces.push(Buffer.from(piece as Uint8Array));
  };
  const { end } = response;
  response.flushHeaders = () => undefined;
  response.write = (piece: unknown) => {
    add(piece);
    return true;
  };
  response.end = (piece?: unknown) => {
    add(piece);
    return end.call(response, Buffer.concat(pieces), "utf8");
  };
}
