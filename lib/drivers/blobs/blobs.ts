/** Contents of files by their SHA-256, in a place that all servers of a database reach. */
export interface Blobs {
  /** Names the place, for messages. */
  readonly place: string;
  has(sha256: string): Promise<boolean>;
  /** Stores a file of this machine. The blob is there as a whole or not at all. */
  put(sha256: string, file: string): Promise<void>;
  /** Returns the bytes; undefined for a blob that is not there. */
  get(sha256: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes a blob whose row in the database is being removed, by the same transaction. */
  delete(sha256: string): Promise<void>;
}
