import type * as z from "zod";

/** One operation of the API. Route files bind it, the typed client calls it, and docs/api describes it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below a deployment's base, parameters in brackets as the route tree writes them. */
  readonly path: string;
  /** Set when the operation needs no API key even if the server has one. */
  readonly open?: true;
  /** Set when the operation also works for a deployment without code. */
  readonly codeless?: true;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly summary: string;
}

/** The body of an operation after parsing; undefined where it has none. */
export type Body<O> = O extends { body: infer S extends z.ZodType } ? z.infer<S> : undefined;
export type Query<O> = O extends { query: infer S extends z.ZodType } ? z.infer<S> : undefined;
