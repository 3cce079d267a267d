import { CronCount, CronCreate, CronPatch, CronSearch } from "../crons.ts";
import type { Operation } from "./operation.ts";

const cron = "/runs/crons/[cron_id]";

/** Operations on crons, which start runs by a schedule. */
export const cronOperations = {
  createCron: { method: "POST", path: "/runs/crons", body: CronCreate, summary: "Start runs by a schedule" },
  createThreadCron: {
    method: "POST",
    path: "/threads/[thread_id]/runs/crons",
    body: CronCreate,
    summary: "Start runs on a thread by a schedule",
  },
  searchCrons: { method: "POST", path: "/runs/crons/search", body: CronSearch, summary: "Search crons" },
  countCrons: { method: "POST", path: "/runs/crons/count", body: CronCount, summary: "Count crons" },
  updateCron: { method: "PATCH", path: cron, body: CronPatch, summary: "Change a cron's schedule or its runs" },
  runCron: { method: "POST", path: `${cron}/run`, summary: "Start a run of a cron now, besides its schedule" },
  deleteCron: { method: "DELETE", path: cron, summary: "Delete a cron" },
} as const satisfies Record<string, Operation>;
