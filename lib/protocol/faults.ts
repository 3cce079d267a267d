/** Kinds of faults. Transports map them to numbers (HTTP status, JSON-RPC code). */
export type FaultCode =
  | "malformed" // the body does not match its content type
  | "invalid" // well formed, but a field is wrong
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_type"
  | "too_many" // too many wrong keys from one address
  | "unavailable"
  | "internal";

/** The reason of a fault, for callers that go on by it, where several faults share a code. */
export type FaultReason =
  | "answered" // The thread no longer waits for this answer.
  | "no_thread"
  | "needs_force" // The same call succeeds with `force`.
  | "unstored"; // The end of a run is not stored, because a change before it was not.

/** The response header that carries a fault's reason. */
export const REASON_HEADER = "x-graphlib-reason";

/** A wrong field: its path (`input.messages.0`) and what was expected there. */
export interface FieldIssue {
  path: string;
  message: string;
}

/**
 * The only error that operations throw on purpose. `message` is meant for the caller and contains no path, stack or
 * secret. Any other error is a bug and reaches the caller as `internal`, without its message.
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

/** An HTTP error that the application's own code threw. It is sent to the caller unchanged. */
export class AppRefusal extends Error {
  override readonly name = "AppRefusal";
  readonly status: number;
  readonly headers: readonly [string, string][];

  constructor({ status, message, headers }: { status: number; message: string; headers: readonly [string, string][] }) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function isAppRefusal(value: unknown): value is AppRefusal {
  return value instanceof AppRefusal || (value instanceof Error && value.name === "AppRefusal" && "status" in value);
}

/** Checks the name as well as the class, because a bundle may contain two copies of this module. */
export function isFault(value: unknown): value is Fault {
  return value instanceof Fault || (value instanceof Error && value.name === "Fault" && "code" in value);
}
