import type { RoomApi } from "#lib/client/rooms.ts";
import type { Cron } from "#lib/protocol/crons.ts";

/** The dialog that is open. */
export type OpenDialog =
  | { readonly dialog: "edit"; readonly cron: Cron | undefined }
  | { readonly dialog: "delete"; readonly cron: Cron };

export interface CronActs {
  readonly api: RoomApi;
  /** Says what was done, or why not, and reads the list again. */
  readonly act: (request: Promise<unknown>, done: string) => void;
  readonly onOpen: (opened: OpenDialog) => void;
}

export const runNow = ({ api, act }: CronActs, { cron_id }: Cron): void =>
  act(api.crons.run(cron_id), "A run was started.");
export const toggle = ({ api, act }: CronActs, { cron_id, enabled }: Cron): void =>
  act(api.crons.enable(cron_id, !enabled), enabled ? "The cron is paused." : "The cron is active again.");
