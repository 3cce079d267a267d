import type { RoomApi } from "#lib/client/rooms.ts";
import type { Cron } from "#lib/protocol/crons.ts";

/** The dialog that is open. */
export type OpenDialog =
  | { readonly dialog: "edit"; readonly cron: Cron | undefined }
  | { readonly dialog: "delete"; readonly cron: Cron };

export interface CronActs {
  readonly api: RoomApi;
  /** The ids of the crons with a request under way. */
  readonly busy: ReadonlySet<string>;
  /** Sends a request for a cron that has none under way. Says what was done, or why not, and reads the list again. */
  readonly act: (id: string, request: () => Promise<unknown>, done: string) => void;
  readonly onOpen: (opened: OpenDialog) => void;
}

/** Starts a run. The second click of a double click starts none, also if the first one's request has ended. */
export function runNow({ api, act }: CronActs, { cron_id }: Cron, clicks: number): void {
  if (clicks < 2) act(cron_id, () => api.crons.run(cron_id), "A run was started.");
}

export const toggle = ({ api, act }: CronActs, { cron_id, enabled }: Cron): void =>
  act(
    cron_id,
    () => api.crons.enable(cron_id, !enabled),
    enabled ? "The cron is paused." : "The cron is active again.",
  );
