import type { SessionStore } from "../../../engine/ports/keys.ts";
import type { GroupCommit } from "../group-commit.ts";
import type { PlatformDb, PlatformTables } from "./tables.ts";

/** The number of hashes to which a longer search is padded, so that two statements are cached by text and not 64. */
const MOST = 64;

export function sqlSessions(db: PlatformDb, commit: GroupCommit<PlatformTables>): SessionStore {
  return {
    async insert(session) {
      await commit((tx) => tx.insertInto("sessions").values(session).execute());
    },
    async find(hashes) {
      const [only, ...more] = hashes;
      if (only === undefined) return [];
      const rows = db.selectFrom("sessions").selectAll();
      if (more.length === 0) return await rows.where("hash", "=", only).execute();
      const padded = Array.from({ length: MOST }, (_, index) => hashes[index] ?? only);
      return await rows.where("hash", "in", padded).execute();
    },
    async touch(hash, last_used) {
      await commit((tx) => tx.updateTable("sessions").set({ last_used }).where("hash", "=", hash).execute());
    },
    async end(hashes) {
      if (hashes.length === 0) return;
      await commit((tx) =>
        tx
          .deleteFrom("sessions")
          .where("hash", "in", [...hashes])
          .execute(),
      );
    },
    async endAll(but) {
      await commit((tx) => {
        const ending = tx.deleteFrom("sessions");
        return (but ? ending.where("key_print", "!=", but.keyPrint) : ending).execute();
      });
    },
    async sweep({ createdBefore, usedBefore }) {
      await commit((tx) =>
        tx
          .deleteFrom("sessions")
          .where((one) => one.or([one("created_at", "<", createdBefore), one("last_used", "<", usedBefore)]))
          .execute(),
      );
    },
  };
}
