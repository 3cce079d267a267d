import type * as z from "zod";
import type { Cron, CronCount, CronSearch } from "../protocol/crons.ts";
import type { Run } from "../protocol/runs.ts";
import { call, read } from "./call.ts";

export type CronFilter = z.input<typeof CronCount>;

/** The calls about crons. All of them may throw a `RequestFailure`. */
export function cronApi(base: string) {
  const at = (cron: string): string => `${base}/runs/crons/${encodeURIComponent(cron)}`;
  return {
    search: async (search: z.input<typeof CronSearch>, signal?: AbortSignal) => {
      const response = await call("POST", `${base}/runs/crons/search`, search, signal);
      const total = Number(response.headers.get("x-pagination-total") ?? 0);
      return { crons: await read<Cron[]>(response), total };
    },
    count: async (filter: CronFilter = {}) => read<number>(await call("POST", `${base}/runs/crons/count`, filter)),
    /** Pauses a cron, or lets it go on. */
    enable: async (cron: string, enabled: boolean) => read<Cron>(await call("PATCH", at(cron), { enabled })),
    /** Starts a run now. The schedule stays. */
    runNow: async (cron: string) => read<Omit<Run, "kwargs">>(await call("POST", `${at(cron)}/run`)),
    remove: (cron: string) => call("DELETE", at(cron)),
  };
}
