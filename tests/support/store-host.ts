import { v7 as uuid } from "uuid";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { sqlStore } from "../../lib/drivers/sql/store.ts";
import { noWorker } from "../../lib/drivers/workers/no-worker.ts";
import { HOST } from "../../lib/protocol/host-requests.ts";
import { answerStore, type StoreContext } from "../../lib/engine/store.ts";
import type { RequestOrigin, HostRequest } from "../../lib/protocol/host-requests.ts";
import { AppConfig } from "../../lib/protocol/config.ts";

export interface StoreHost {
  home: StoreContext;
  /** The current time, in ms since the epoch; only the test changes it. */
  clock: { time: number };
  platform: { clock: { now(): number }; newId(): string };
  /** Answers a graph's requests about the store, as a host does. */
  answer(origin: RequestOrigin, request: HostRequest): Promise<unknown>;
  close(): Promise<void>;
}

/** Creates the store of a deployment over a database in memory, without the rest of a server. */
export async function storeHost(
  store: object = {},
  embed: StoreContext["worker"]["embed"] = noWorker("no worker here").embed,
): Promise<StoreHost> {
  const db = await openSqlite(":memory:", deploymentShape);
  const clock = { time: Date.UTC(2026, 0, 1) };
  const platform = { clock: { now: () => clock.time }, newId: () => uuid() };
  const home: StoreContext = {
    config: AppConfig.parse({ graphs: { any: "./any.ts:graph" }, store }),
    items: sqlStore(db, groupCommit(db)),
    worker: { ...noWorker("no worker here"), embed },
  };
  return {
    home,
    clock,
    platform,
    async answer(origin, request) {
      if (request.about !== "store") throw new Error(`only the store is here, not ${request.about}`);
      return await answerStore(platform, home, { ...origin, token: HOST.token }, request.operations);
    },
    close: () => db.destroy(),
  };
}
