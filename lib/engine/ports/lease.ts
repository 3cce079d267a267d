/**
 * The lease of a server that shares its database with others. What it claims is its own as long as the lease holds. A lease that
 * is over stays over: a server that could not renew its own in time gets another one.
 * Implemented in lib/drivers/sql/lease.ts.
 */
export interface Lease {
  /** The id under which this server claims runs and builds; undefined while it holds no lease. */
  id(): string | undefined;
  /** Returns those of these leases that are over, by the database's clock. */
  over(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Calls back when this server may go on with nothing that it has claimed. Returns a function that stops it. */
  onLost(listener: () => void): () => void;
  /** Calls back at each renewal: it is time to look for the work of servers that are gone. Returns a function that stops it. */
  onRenewed(listener: () => void): () => void;
}
