/** Ends a command with the problem and a way to fix it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly fix?: string;
  /** The HTTP status of the response that caused the failure. */
  readonly status?: number;
  /** The server's code for the refusal; absent if it sent none. */
  readonly reason?: string;

  constructor(
    message: string,
    { fix, status, reason, cause }: { fix?: string; status?: number; reason?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.fix = fix;
    this.status = status;
    this.reason = reason;
  }
}

/** Ends a command whose command line cannot be understood. */
export class UsageFailure extends Error {
  override readonly name = "UsageFailure";
}
