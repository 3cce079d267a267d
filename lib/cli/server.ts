import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import * as z from "zod";
import { DeploymentRecord } from "../protocol/control.ts";
import { REASON_HEADER } from "../protocol/faults.ts";
import { nearName } from "../rules/text/near-name.ts";
import { isLoopback } from "../env.ts";
import { CommandFailure } from "./failure.ts";
import { parseJson } from "../protocol/json.ts";

export interface ServerEvent {
  event?: string;
  data: string;
  id?: string;
}

/** The control plane of a server. */
export interface Server {
  readonly url: string;
  /** Set if the server is on this machine. */
  readonly isLocal: boolean;
  /** Sends a request. Throws `CommandFailure`. */
  call<S extends z.ZodType>(method: string, path: string, schema: S, body?: object): Promise<z.infer<S>>;
  /** Sends an archive. Throws `CommandFailure`. */
  send<S extends z.ZodType>(path: string, schema: S, archive: ReadableStream<Uint8Array>): Promise<z.infer<S>>;
  /** Streams the events of a path to its end, over as many connections as it takes. Throws `CommandFailure`. */
  listen(path: string): AsyncGenerator<ServerEvent, void, undefined>;
}

type RequestOptions = Omit<RequestInit, "headers"> & { headers?: Record<string, string>; duplex?: "half" };

const SAME_VERSION = "Check GRAPHLIB_URL, and that the server has this version.";
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 4000;
/** The number of attempts to reach a server again, which take two minutes. */
const TRIES = 30;

export function connect({ url, key }: { url: string; key?: string }): Server {
  const request = async (path: string, init: RequestOptions): Promise<Response> => {
    const headers = { ...init.headers, ...(key !== undefined && { "x-api-key": key }) };
    let response: Response;
    try {
      response = await fetch(`${url}/api${path}`, { ...init, headers });
    } catch (cause) {
      const fix = "Start one with npm start, or set GRAPHLIB_URL to the address of one that runs.";
      throw new CommandFailure(`No server answers at ${url}${reasonOf(cause)}`, { fix, cause });
    }
    if (!response.ok) throw await failureOf(response, key !== undefined);
    return response;
  };
  const listen = async function* (path: string): AsyncGenerator<ServerEvent, void, undefined> {
    let last: string | undefined;
    let wasConnected = false;
    for (let failures = 0; ;) {
      try {
        const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
        for await (const event of eventsOf(await request(path, { headers }))) {
          failures = 0;
          if (event.event === "end") return;
          last = event.id ?? last;
          wasConnected = true;
          yield event;
        }
      } catch (thrown) {
        if (!(thrown instanceof Error) || !isTemporary(thrown, wasConnected)) throw thrown;
      }
      if (++failures > TRIES) throw new CommandFailure(`The connection to ${url} was lost`);
      await sleep(Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
    }
  };
  return {
    url,
    isLocal: isLoopback(new URL(url).hostname),
    listen,
    async call(method, path, schema, body) {
      const json = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      return await answerOf(await request(path, { method, ...json }), schema);
    },
    async send(path, schema, archive) {
      const headers = { "content-type": "application/gzip" };
      return await answerOf(await request(path, { method: "PUT", headers, body: archive, duplex: "half" }), schema);
    },
  };
}

/** Returns a deployment, or undefined if there is none of this name. Throws `CommandFailure`. */
export async function findDeployment(server: Server, name: string): Promise<DeploymentRecord | undefined> {
  try {
    return await server.call("GET", `/deployments/${encodeURIComponent(name)}`, DeploymentRecord);
  } catch (thrown) {
    if (thrown instanceof CommandFailure && thrown.status === 404) return undefined;
    throw thrown;
  }
}

/** Returns the deployment of this name. Throws `CommandFailure`, which suggests a similar name. */
export async function getDeployment(server: Server, name: string): Promise<DeploymentRecord> {
  const found = await findDeployment(server, name);
  if (found) return found;
  const names = (await listDeployments(server)).map((one) => one.name);
  const near = nearName(name, names);
  const fix = near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean "${near}"?`;
  throw new CommandFailure(`No deployment named "${name}"`, { fix, status: 404 });
}

export async function listDeployments(server: Server): Promise<DeploymentRecord[]> {
  return await server.call("GET", "/deployments", z.array(DeploymentRecord));
}

/** Returns whether a failure may be temporary: a broken connection, or a server that starts again. */
function isTemporary(thrown: Error, wasConnected: boolean): boolean {
  if (!(thrown instanceof CommandFailure)) return true;
  return thrown.status === undefined ? wasConnected : [502, 503, 504].includes(thrown.status);
}

async function answerOf<S extends z.ZodType>(response: Response, schema: S): Promise<z.infer<S>> {
  const text = await response.text();
  const parsed = schema.safeParse(text === "" ? undefined : parseJson(text));
  if (parsed.success) return parsed.data;
  throw new CommandFailure(`${new URL(response.url).origin} does not answer like a Graphlib server`, {
    fix: SAME_VERSION,
  });
}

const ApiError = z.object({ detail: z.string(), issues: z.array(z.object({ path: z.string(), message: z.string() })) });

async function failureOf(response: Response, withKey: boolean): Promise<CommandFailure> {
  const { status } = response;
  const text = (await response.text()).trim();
  if (status === 401) {
    const fix = withKey ? "GRAPHLIB_API_KEY is not the key of this server." : "Set GRAPHLIB_API_KEY to its key.";
    return new CommandFailure("The server requires its API key", { status, fix });
  }
  const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
  const parsed = ApiError.safeParse(parseJson(text));
  const message = parsed.success ? parsed.data.detail : text;
  const reason = response.headers.get(REASON_HEADER) ?? undefined;
  if (message !== "" && !isPage) return new CommandFailure(message, { status, reason });
  const fix = "Check GRAPHLIB_URL: it may be the address of another program.";
  return new CommandFailure(`The server answered ${status}`, { status, fix });
}

function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
}

async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent, void, undefined> {
  if (!body) return;
  const events: ServerEvent[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text);
    yield* events.splice(0);
  }
}

/** Returns the data of an event. Throws `CommandFailure`. */
export function dataOf<S extends z.ZodType>(schema: S, { data }: ServerEvent): z.infer<S> {
  const parsed = schema.safeParse(parseJson(data));
  if (parsed.success) return parsed.data;
  throw new CommandFailure("The server sent an event that this version does not understand", { fix: SAME_VERSION });
}
