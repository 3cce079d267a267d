/** A secret that callers show. What it is never leaves the driver. */
export interface ApiKey {
  matches(given: string): boolean;
  /** Proves knowledge of the key without holding it: what the console's cookie carries. Another key, another session. */
  readonly session: string;
  isSession(given: string): boolean;
}
