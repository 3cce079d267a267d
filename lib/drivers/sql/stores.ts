import type { Kysely } from "kysely";
import type { Deployment } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { sqlAssistants } from "./assistants.ts";
import { sqlCheckpoints } from "./checkpoints.ts";
import { sqlCrons } from "./crons.ts";
import type { Commit } from "./group-commit.ts";
import { sqlRuns } from "./runs.ts";
import { sqlStore } from "./store.ts";
import { sqlLetters } from "./push-letters.ts";
import type { Tables } from "./tables.ts";
import { sqlPushes } from "./task-pushes.ts";
import { sqlTasks } from "./tasks.ts";
import { sqlThreads } from "./threads.ts";
import { sqlWebhooks } from "./webhooks.ts";

type Stores = Pick<
  Deployment,
  "assistants" | "runs" | "tasks" | "threads" | "checkpoints" | "items" | "crons" | "webhooks" | "pushes" | "letters"
> & { runs: RunEventStore };

/** What a deployment keeps in its database. */
export function sqlStores(db: Kysely<Tables>, commit: Commit<Tables>): Stores {
  return {
    assistants: sqlAssistants(db, commit),
    runs: sqlRuns(db, commit),
    tasks: sqlTasks(db, commit),
    threads: sqlThreads(db, commit),
    checkpoints: sqlCheckpoints(db, commit),
    items: sqlStore(db, commit),
    crons: sqlCrons(db, commit),
    webhooks: sqlWebhooks(db, commit),
    pushes: sqlPushes(db, commit),
    letters: sqlLetters(db, commit),
  };
}
