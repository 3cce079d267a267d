import type { DeploymentServer } from "../../protocol/deployments.ts";

/** The report of a server on a deployment that it has open. */
export type DeploymentReport = Pick<DeploymentServer, "revision" | "status" | "problem">;

/** A server that shares the database with others. */
export interface SharingServer {
  /** The id of its lease. */
  id: string;
  /** The name of its machine. */
  host: string;
  roles: string[];
  /** By the deployment's name. */
  deployments: Readonly<Record<string, DeploymentReport>>;
}

/**
 * The lease of a server that shares its database with others. What it claims is its own as long as the lease holds. A lease that
 * is over stays over: a server that could not renew its own in time gets another one.
 * Implemented in lib/drivers/sql/lease.ts.
 */
export interface Lease {
  /** The id under which this server claims runs and builds; undefined while it holds no lease. */
  id(): string | undefined;
  /** Returns whether this server may claim more: it holds a lease, and is not about to stop. */
  mayClaim(): boolean;
  /** Lists the servers whose leases hold, this one too. */
  servers(): Promise<SharingServer[]>;
  /** Lets the other servers know what this one says of its deployments; nothing while it holds no lease. */
  report(deployments: Readonly<Record<string, DeploymentReport>>): Promise<void>;
  /** Returns those of these leases that are over, by the database's clock. */
  over(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Calls back when this server may go on with nothing that it has claimed. Returns a function that stops it. */
  onLost(listener: () => void): () => void;
  /** Calls back at each renewal: it is time to look for the work of servers that are gone. Returns a function that stops it. */
  onRenewed(listener: () => void): () => void;
}
