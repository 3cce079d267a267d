/** Ends a command: what went wrong, and what to do about it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly fix?: string;
  /** HTTP status, of an answer that says so. */
  readonly status?: number;

  constructor(message: string, { fix, status, cause }: { fix?: string; status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.fix = fix;
    this.status = status;
  }
}

/** The command line itself can't be understood. */
export class UsageFailure extends Error {
  override readonly name = "UsageFailure";
}
