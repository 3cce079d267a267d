/** Ports of crons. */
import type { AuthUser } from "../../protocol/auth.ts";
import type { Cron, CronFilter, CronSearch } from "../../protocol/crons.ts";
import type { NextTime } from "../../rules/runs/cron.ts";
import type { Visibility } from "../../rules/visibility.ts";

/** Interprets schedules. */
export interface Calendar {
  /** Returns why a schedule of five fields is invalid, as a text for its author. */
  problem(schedule: string): string | undefined;
  /** Returns the first time of a schedule after `after`, in ms since the epoch; undefined when there is none. */
  next: NextTime;
}

/** A time at which a cron fires (ms since the epoch), and the next one. */
export interface Firing {
  cron_id: string;
  due: number;
  next: number | undefined;
}

export interface StoredCron extends Cron {
  /** The user who created it, for whom its runs are started; set when the application has authentication. */
  user?: AuthUser;
}

/** Implemented in lib/drivers/sql/crons.ts. */
export interface CronStore {
  insert(cron: StoredCron): Promise<void>;
  get(cronId: string): Promise<StoredCron | undefined>;
  search(search: CronSearch, visible?: Visibility): Promise<{ crons: StoredCron[]; total: number }>;
  count(filter: CronFilter, visible?: Visibility): Promise<number>;
  /** Reads and changes a cron in one transaction. Throws what `change` throws, and then changes nothing. */
  update(cronId: string, change: (cron: StoredCron) => StoredCron): Promise<StoredCron | undefined>;
  /** Returns false when there is none, or it is not visible. */
  delete(cronId: string, visible?: Visibility): Promise<boolean>;
  /** Returns some of the crons that are due, the earliest first. */
  due(now: number): Promise<StoredCron[]>;
  /** Returns when the first cron fires after a time, both in ms since the epoch. */
  nextDue(after: number): Promise<number | undefined>;
  /** Moves a cron to its next time without a run. False when another server did, or the cron has changed. */
  skip(firing: Firing): Promise<boolean>;
}
