import type { Shape } from "./migrate.ts";
import { runs } from "./migrations/001-runs.ts";
import { assistants } from "./migrations/002-assistants.ts";
import { tasks } from "./migrations/003-tasks.ts";
import { assistantVersions } from "./migrations/004-assistant-versions.ts";
import { store } from "./migrations/005-store.ts";
import { checkpoints } from "./migrations/006-checkpoints.ts";
import { threads } from "./migrations/007-threads.ts";
import { crons } from "./migrations/008-crons.ts";
import { webhooks } from "./migrations/009-webhooks.ts";
import { cronUsers } from "./migrations/010-cron-users.ts";
import { threadLabels } from "./migrations/011-thread-labels.ts";
import { taskStates } from "./migrations/012-task-states.ts";
import { taskPushes } from "./migrations/013-task-pushes.ts";
import { webhookHosts } from "./migrations/014-webhook-hosts.ts";
import { runSearch } from "./migrations/015-run-search.ts";
import { threadPages } from "./migrations/016-thread-pages.ts";
import { crashes } from "./migrations/017-crashes.ts";
import { executors } from "./migrations/018-executors.ts";
import { commits } from "./migrations/019-commits.ts";
import { rowLocks } from "./row-locks.ts";
import type { Tables } from "./tables.ts";

/** The shape of one deployment's database. */
export const deploymentShape: Shape<Tables> = {
  rowLocks,
  steps: {
    "001-runs": runs,
    "002-assistants": assistants,
    "003-tasks": tasks,
    "004-assistant-versions": assistantVersions,
    "005-store": store,
    "006-checkpoints": checkpoints,
    "007-threads": threads,
    "008-crons": crons,
    "009-webhooks": webhooks,
    "010-cron-users": cronUsers,
    "011-thread-labels": threadLabels,
    "012-task-states": taskStates,
    "013-task-pushes": taskPushes,
    "014-webhook-hosts": webhookHosts,
    "015-run-search": runSearch,
    "016-thread-pages": threadPages,
    "017-crashes": crashes,
    "018-executors": executors,
    "019-commits": commits,
  },
};
