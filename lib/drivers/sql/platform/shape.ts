import type { Shape } from "../migrate.ts";
import { commits } from "../migrations/019-commits.ts";
import { deployments } from "./001-deployments.ts";
import { variablesAndLogs } from "./002-variables-and-logs.ts";
import { hooks } from "./003-hooks.ts";
import { inputs } from "./004-inputs.ts";
import { sessions } from "./005-sessions.ts";
import { executors } from "./006-executors.ts";
import { cluster } from "./007-cluster.ts";
import { blobs } from "./008-blobs.ts";
import type { PlatformTables } from "./tables.ts";

/** The shape of the platform's own database. */
export const platformShape: Shape<PlatformTables> = {
  steps: {
    "001-deployments": deployments,
    "002-variables-and-logs": variablesAndLogs,
    "003-hooks": hooks,
    "004-inputs": inputs,
    "005-sessions": sessions,
    "006-executors": executors,
    "007-cluster": cluster,
    "008-blobs": blobs,
    "009-commits": commits,
  },
};
