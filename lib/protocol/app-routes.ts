/** Words in which a host forwards requests to the routes of an application (its module at `http.app`). */
import type { PlainRequest } from "./auth.ts";
import type { RunError } from "./stream.ts";

export type AppMessage =
  /** Answered by `response`; `body` in base64. */
  | { type: "request"; id: number; request: PlainRequest; body?: string }
  /** Asks for one piece of the body, answered by `chunk` or `done`: a caller that does not read holds up only itself. */
  | { type: "pull"; id: number }
  /** Nobody reads the answer any more. */
  | { type: "abandon"; id: number };

export type AppLine =
  | ({ type: "response"; id: number; hasBody: boolean } & AppHead)
  | { type: "response"; id: number; error: RunError }
  /** `data` in base64. */
  | { type: "chunk"; id: number; data: string }
  | { type: "done"; id: number; error?: RunError };

/** `passed` when the application has no route for it: its headers are what its middleware adds to the answer. */
export interface AppHead {
  status: number;
  headers: [string, string][];
  passed: boolean;
}

/** A request for the application's own routes. */
export type AppRequest = PlainRequest & { body?: Uint8Array };

/** `body` is read as far as its reader asks for it. */
export type AppAnswer = AppHead & { body: ReadableStream<Uint8Array> | null };
