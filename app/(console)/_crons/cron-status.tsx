import type { Cron } from "#lib/protocol/crons.ts";
import { Pill } from "../_ui/status.tsx";

export function CronPill({ enabled, next_run_date }: Pick<Cron, "enabled" | "next_run_date">) {
  if (!enabled) return <Pill tone="waiting">Paused</Pill>;
  return next_run_date === null ? <Pill tone="neutral">Ended</Pill> : <Pill tone="ok">Active</Pill>;
}
