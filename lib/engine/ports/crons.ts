/** What crons need of the world. */
import type { AuthUser } from "../../protocol/auth.ts";
import type { Cron, CronFilter, CronSearch } from "../../protocol/crons.ts";
import type { NextTime } from "../../rules/runs/cron.ts";
import type { Visibility } from "../../rules/visibility.ts";

/** What schedules mean. */
export interface Calendar {
  /** Why a schedule of five fields cannot be read, for its author. */
  problem(schedule: string): string | undefined;
  /** The first time after `after` that a schedule names, in ms since the epoch; undefined when there is none. */
  next: NextTime;
}

/** One time at which a cron fires (ms since the epoch), and the one after it. */
export interface Firing {
  cron_id: string;
  due: number;
  next: number | undefined;
}

export interface StoredCron extends Cron {
  /** Who made it, where the application knows its callers: its runs are theirs. */
  user?: AuthUser;
}

export interface CronStore {
  insert(cron: StoredCron): Promise<void>;
  get(cronId: string): Promise<StoredCron | undefined>;
  search(search: CronSearch, visible?: Visibility): Promise<{ crons: StoredCron[]; total: number }>;
  count(filter: CronFilter, visible?: Visibility): Promise<number>;
  /** Changes what is stored, in one transaction with reading it. Throws what `change` throws, and changes nothing then. */
  update(cronId: string, change: (cron: StoredCron) => StoredCron): Promise<StoredCron | undefined>;
  /** False when there is none, or none that is visible. */
  delete(cronId: string, visible?: Visibility): Promise<boolean>;
  /** Crons that are to fire by now, the earliest first, some of them. */
  due(now: number): Promise<StoredCron[]>;
  /** When the first cron fires after a time, both in ms since the epoch. */
  nextDue(after: number): Promise<number | undefined>;
  /** Goes on to the next time without a run; false when somebody has, or the cron was changed meanwhile. */
  skip(firing: Firing): Promise<boolean>;
}
