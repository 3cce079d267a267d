/** How code of the application reaches the server that it is hosted by. */
import { PASS_HEADER, type Home } from "../protocol/worker.ts";

/** Where clients of the LangGraph SDK look when they are given no address. */
const FETCH = Symbol.for("langgraph_api:fetch");
const ADDRESS = Symbol.for("langgraph_api:url");

/** Stands for the server's address until that is known: a client may be made while a module loads. */
const UNKNOWN = "http://graphlib.invalid";

export interface HomeDoor {
  /** From here on the server answers there. */
  open(home: Home): void;
}

/** Sets the globals by which `new Client()` without an address talks to this server. */
export function installHome(): HomeDoor {
  let home: Home | undefined;
  const known = Promise.withResolvers<Home>();

  const fetchHome = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const written = input instanceof Request ? input.url : String(input);
    const path = pathBelow(written, [UNKNOWN, home?.url]);
    if (path === undefined) return await fetch(input, init);
    const { url, pass } = await known.promise;
    const request = new Request(input instanceof Request ? new Request(url + path, input) : url + path, init);
    request.headers.set(PASS_HEADER, pass);
    // The pass is for this server: it goes wherever a redirect leads to by hand only.
    return await fetch(request, { redirect: "manual" });
  };

  Object.defineProperty(globalThis, FETCH, { value: fetchHome, configurable: true, writable: true });
  Object.defineProperty(globalThis, ADDRESS, { get: () => home?.url ?? UNKNOWN, configurable: true });
  return {
    open(opened) {
      home = opened;
      known.resolve(opened);
    },
  };
}

/** The path (with its query) below one of these addresses, or as it is when there is no address; else undefined. */
function pathBelow(url: string, bases: readonly (string | undefined)[]): string | undefined {
  if (url.startsWith("/")) return url;
  for (const base of bases) {
    if (base !== undefined && url.startsWith(base) && /^(?:$|[/?#])/.test(url.slice(base.length)))
      return url.slice(base.length);
  }
  return undefined;
}
