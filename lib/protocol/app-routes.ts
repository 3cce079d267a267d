/** Messages by which the host forwards requests to the routes of an application (its module at `http.app`). */
import type { PlainRequest } from "./auth.ts";
import type { RunError } from "./stream.ts";

export type AppMessage =
  /** Starts a request, which is answered by `response`. `body` is base64. */
  | { type: "request"; id: number; request: PlainRequest; body?: string }
  /** Requests a chunk of the body, answered by `chunk` or `done`. So a caller that does not read delays only itself. */
  | { type: "pull"; id: number }
  /** Cancels a request whose response is no longer read. */
  | { type: "abandon"; id: number };

export type AppLine =
  | ({ type: "response"; id: number; hasBody: boolean } & AppHead)
  | { type: "response"; id: number; error: RunError }
  /** One chunk of the body; `data` is base64. */
  | { type: "chunk"; id: number; data: string }
  | { type: "done"; id: number; error?: RunError };

/** Status and headers of an application's response. */
export interface AppHead {
  status: number;
  headers: [string, string][];
  /** True when the application has no such route. `headers` are then what its middleware adds to the API's response. */
  passed: boolean;
}

/** A request for the application's own routes. */
export type AppRequest = PlainRequest & { body?: Uint8Array };

/** The response of an application. Its body is pulled from the worker as the caller reads it. */
export type AppAnswer = AppHead & { body: ReadableStream<Uint8Array> | null };
