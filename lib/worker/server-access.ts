/** Lets the application's code reach the server that hosts it. */
import { PASS_HEADER, type Home } from "../protocol/worker.ts";

/** The globals that clients of the LangGraph SDK read if they are given no address. */
const FETCH = Symbol.for("langgraph_api:fetch");
const ADDRESS = Symbol.for("langgraph_api:url");

/** Stands in for the server's address until it is known, because a module may create a client while it loads. */
const UNKNOWN = "http://graphlib.invalid";

export interface ServerAccess {
  /** Sets the server's address and releases the requests that wait for it. */
  open(server: Home): void;
}

/** Sets the globals through which `new Client()` without an address reaches this server. */
export function installServerAccess(): ServerAccess {
  let server: Home | undefined;
  const known = Promise.withResolvers<Home>();

  const fetchServer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const written = input instanceof Request ? input.url : String(input);
    const path = pathBelow(written, [UNKNOWN, server?.url]);
    if (path === undefined) return await fetch(input, init);
    const { url, pass } = await known.promise;
    const request = new Request(input instanceof Request ? new Request(url + path, input) : url + path, init);
    request.headers.set(PASS_HEADER, pass);
    // The pass is meant for this server alone, so redirects are not followed.
    return await fetch(request, { redirect: "manual" });
  };

  Object.defineProperty(globalThis, FETCH, { value: fetchServer, configurable: true, writable: true });
  Object.defineProperty(globalThis, ADDRESS, { get: () => server?.url ?? UNKNOWN, configurable: true });
  return {
    open(opened) {
      server = opened;
      known.resolve(opened);
    },
  };
}

/** Returns path and query of a URL below one of the bases, or of a URL without a host; otherwise undefined. */
function pathBelow(url: string, bases: readonly (string | undefined)[]): string | undefined {
  if (url.startsWith("/")) return url;
  for (const base of bases) {
    if (base !== undefined && url.startsWith(base) && /^(?:$|[/?#])/.test(url.slice(base.length)))
      return url.slice(base.length);
  }
  return undefined;
}
