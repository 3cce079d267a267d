/** What `GET /readyz` tells programs that send requests to servers. */
export interface Readiness {
  /** The server can take requests. */
  ready: boolean;
  database: "ok" | "away";
  /** Whether a server that shares its database may execute what it has claimed. */
  lease?: "held" | "lost";
  /** Without Redis servers look in the database, so it does not make a server unready. */
  redis?: "ok" | "away";
  /** The server is about to stop, and begins nothing more. */
  draining: boolean;
}
