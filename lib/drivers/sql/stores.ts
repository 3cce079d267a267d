import type { DeploymentStores } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { sqlAssistants } from "./assistants.ts";
import { sqlCheckpoints } from "./checkpoints.ts";
import { sqlCrons } from "./crons.ts";
import type { GroupCommit } from "./group-commit.ts";
import { sqlRuns } from "./runs.ts";
import { sqlStore } from "./store.ts";
import { sqlNotifications } from "./push-notifications.ts";
import type { Db, Tables } from "./tables.ts";
import { sqlPushConfigs } from "./task-pushes.ts";
import { sqlTasks } from "./tasks.ts";
import { sqlThreads } from "./threads.ts";
import { sqlWebhooks } from "./webhooks.ts";

/** Returns the stores of one deployment, all in its own database. */
export function sqlStores(db: Db, commit: GroupCommit<Tables>): DeploymentStores & { runs: RunEventStore } {
  return {
    assistants: sqlAssistants(db, commit),
    runs: sqlRuns(db, commit),
    tasks: sqlTasks(db, commit),
    threads: sqlThreads(db, commit),
    checkpoints: sqlCheckpoints(db, commit),
    items: sqlStore(db, commit),
    crons: sqlCrons(db, commit),
    webhooks: sqlWebhooks(db, commit),
    pushConfigs: sqlPushConfigs(db, commit),
    notifications: sqlNotifications(db, commit),
  };
}
