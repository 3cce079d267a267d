/** What crons need of the world. */
import type { Cron, CronFilter, CronSearch } from "../protocol/crons.ts";
import type { NextTime } from "../rules/cron.ts";

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

export interface CronStore {
  insert(cron: Cron): Promise<void>;
  get(cronId: string): Promise<Cron | undefined>;
  search(search: CronSearch): Promise<{ crons: Cron[]; total: number }>;
  count(filter: CronFilter): Promise<number>;
  /** Changes what is stored, in one transaction with reading it. Throws what `change` throws, and changes nothing then. */
  update(cronId: string, change: (cron: Cron) => Cron): Promise<Cron | undefined>;
  delete(cronId: string): Promise<boolean>;
  /** Crons that are to fire by now, the earliest first, some of them. */
  due(now: number): Promise<Cron[]>;
  /** When the next cron fires, in ms since the epoch. */
  nextDue(): Promise<number | undefined>;
  /** Goes on to the next time without a run; false when somebody has, or the cron was changed meanwhile. */
  skip(firing: Firing): Promise<boolean>;
}
