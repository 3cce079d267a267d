/** What can go wrong for a caller. Transports own the numbers (HTTP status, JSON-RPC code). */
export type FaultCode =
  | "malformed" // the body is not what its content type says
  | "invalid" // well formed, but a field is wrong
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_type"
  | "too_many" // wrong keys of one address
  | "unavailable"
  | "internal";

/** What exactly is wrong, where somebody goes on by that: of several faults that share a code. */
export type FaultReason =
  | "answered" // the thread does not wait for this answer any more
  | "no_thread"
  | "needs_force"; // the same call succeeds with `force`

/** Carries the reason of a fault to clients. */
export const REASON_HEADER = "x-graphlib-reason";

/** One wrong field: where it stands (`input.messages.0`) and what was expected there. */
export interface FieldIssue {
  path: string;
  message: string;
}

/**
 * The only error that verbs throw on purpose. `message` is written for the caller and holds no path, stack or secret;
 * anything else that is thrown is a bug and reaches the caller as `internal`, without its message.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly issues: readonly FieldIssue[];
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined;
  readonly reason: FaultReason | undefined;

  constructor(
    code: FaultCode,
    message: string,
    options: { issues?: readonly FieldIssue[]; cause?: unknown; retryAfter?: number; reason?: FaultReason } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.issues = options.issues ?? [];
    this.retryAfter = options.retryAfter;
    this.reason = options.reason;
  }
}

/** An answer that the application's own code gave in place of a fault: it leaves the server as it is. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly headers: readonly [string, string][];

  constructor({ status, message, headers }: { status: number; message: string; headers: readonly [string, string][] }) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function isRefusal(value: unknown): value is Refusal {
  return value instanceof Refusal || (value instanceof Error && value.name === "Refusal" && "status" in value);
}

/** By name as well as by class: a bundler may hold two copies of this module. */
export function isFault(value: unknown): value is Fault {
  return value instanceof Fault || (value instanceof Error && value.name === "Fault" && "code" in value);
}
