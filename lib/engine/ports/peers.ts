/** The other servers of the same database, as one deployment reaches them. What does not arrive is found by looking. */
export interface Peers {
  /** This server executes no runs: each that it stores is for others. */
  readonly executeAll: boolean;
  /** Makes one of them look for runs that are due. */
  wakeOne(): void;
  /** Makes the one that executes a run abort it. */
  cancel(runId: string): void;
  /** Makes them read a task again to which they have subscribers. */
  taskChanged(taskId: string): void;
}

/** A server that has its database for itself has none. */
export const noPeers: Peers = {
  executeAll: false,
  wakeOne: () => undefined,
  cancel: () => undefined,
  taskChanged: () => undefined,
};
