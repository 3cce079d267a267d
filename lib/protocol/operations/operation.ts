import type * as z from "zod";

/** One row of the contract: what route files bind, the typed client calls and documentation lists. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below a deployment's base, parameters in brackets as the route tree writes them. */
  readonly path: string;
  /** `open` needs no API key even when one is set. */
  readonly access: "open" | "key";
  /** Answers also for a deployment that has no code to serve. */
  readonly codeless?: true;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly answer: "json" | "events" | "jsonrpc";
  readonly summary: string;
}
