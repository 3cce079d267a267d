import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lease, SharingServer } from "../../engine/ports/lease.ts";
import type { Logger } from "../../engine/ports/ports.ts";
import { createEmitter } from "../../rules/emitter.ts";
import type { CorrectedClock } from "../clock.ts";
import { fromJson } from "./json-column.ts";
import { type LeaseHolder, leaseStatements, type StoredLease } from "./lease-statements.ts";

/** A lease is renewed so many times within its length, and given up when this number less one has failed. */
const RENEWALS = 3;
/** The pause after a renewal that has failed, in ms. */
const RETRY_MS = 500;
/** The time for which the lock of a server that was killed may still be held, in ms. */
const LINGER_MS = 5_000;
/** The longest time that a server which is to be alone waits for leases of servers that are gone, in ms. */
const LEFT_MS = 30_000;

export interface ServerLease extends Lease {
  /** Returns whether the database has answered the last renewal. */
  isReachable(): boolean;
  /** Lets this server claim nothing more. It keeps what it has. */
  drain(): void;
  /** Ends the lease: others may take over at once what is left. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  url: string;
  /** The platform's schema, which has to be migrated. */
  schema: string;
  holder: LeaseHolder;
  /** The length of the lease, in ms. */
  lengthMs: number;
  /** Is set to the time of the database. */
  clock: CorrectedClock;
  logger: Logger;
}

/**
 * Gets a lease for this process and renews it, until it is released. It counts as lost before it is over in the database: when
 * it could not be renewed for two thirds of its length. Then another one is tried for. Throws when a server has locked the
 * schema for itself.
 */
export async function openLease(options: LeaseOptions): Promise<ServerLease> {
  const lease = new RenewedLease(options);
  await lease.open();
  return lease;
}

class RenewedLease implements ServerLease {
  readonly #options: LeaseOptions;
  readonly #everyMs: number;
  readonly #statements: ReturnType<typeof leaseStatements>;
  readonly #lost = createEmitter();
  readonly #renewed = createEmitter();
  #id: string | undefined;
  #released = false;
  #isFailing = false;
  #isDraining = false;
  #ticking: Promise<void> | undefined;
  /** Fires when the lease counts as lost. */
  #deadline: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;
  readonly onLost = this.#lost.on;
  readonly onRenewed = this.#renewed.on;
  readonly isReachable = (): boolean => !this.#isFailing;
  readonly mayClaim = (): boolean => this.#id !== undefined && !this.#isDraining;
  readonly id = (): string | undefined => this.#id;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#everyMs = options.lengthMs / RENEWALS;
    this.#statements = leaseStatements(options.url, options.schema, this.#everyMs);
  }

  async open(): Promise<void> {
    const until = performance.now() + LINGER_MS;
    try {
      while (!(await this.#begin())) {
        if (performance.now() > until) throw new Error(lockedBy(this.#options.schema));
        await sleep(RETRY_MS);
      }
      await this.#requireSameSecret();
      await this.#statements.sweep();
    } catch (error) {
      await this.release();
      throw error;
    }
    this.#schedule(this.#everyMs);
  }

  async servers(): Promise<SharingServer[]> {
    return (await this.#statements.list()).map(({ executor_id: id, host, roles, deployments }) => ({
      id,
      host,
      roles: roles.split(","),
      deployments: fromJson(deployments),
    }));
  }

  async report(deployments: Parameters<Lease["report"]>[0]): Promise<void> {
    if (this.#id !== undefined) await this.#statements.report(this.#id, JSON.stringify(deployments));
  }

  async over(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const held = new Set((await this.#statements.list()).map(({ executor_id }) => executor_id));
    return new Set(ids.filter((id) => !held.has(id)));
  }

  drain(): void {
    this.#isDraining = true;
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    clearTimeout(this.#next);
    clearTimeout(this.#deadline);
    await this.#ticking;
    if (this.#id !== undefined) await this.#statements.end(this.#id).catch(() => undefined);
    await this.#statements.close();
  }

  /** Throws when this server could not read what a server that is alive has encrypted. */
  async #requireSameSecret(): Promise<void> {
    const own = this.#options.holder.secrets.split(",");
    const leases = await this.#statements.list();
    const other = leases.find(({ secrets }) => !secrets.split(",").some((print) => own.includes(print)));
    if (!other) return;
    throw new Error(
      `The server on ${other.host}, which shares this database, has another GRAPHLIB_SECRET: ` +
        "set the same on all servers; to rotate it, set new,old on each before new",
    );
  }

  async #begin(): Promise<boolean> {
    const { holder, lengthMs } = this.#options;
    const id = randomUUID();
    if (!(await this.#hold(() => this.#statements.begin(id, holder, lengthMs)))) return false;
    this.#id = id;
    return true;
  }

  async #renew(): Promise<void> {
    const { schema, lengthMs, logger } = this.#options;
    const id = this.#id;
    if (id === undefined) {
      if (!(await this.#begin())) throw new Error(lockedBy(schema));
      logger.warn("this server has a lease again");
    } else if (!(await this.#hold(() => this.#statements.renew(id, lengthMs)))) {
      this.#lose("it was over before it could be renewed");
    }
  }

  /** Sends a statement that returns the time of the database. The lease is held from the moment at which it was sent. */
  async #hold(send: () => Promise<number | undefined>): Promise<boolean> {
    const sent = performance.now();
    const now = await send();
    if (now === undefined) return false;
    const tookMs = performance.now() - sent;
    this.#options.clock.correct(now, now + tookMs);
    clearTimeout(this.#deadline);
    const leftMs = this.#everyMs * (RENEWALS - 1) - tookMs;
    if (!this.#released)
      this.#deadline = setTimeout(() => this.#lose("the database did not answer in time"), leftMs).unref();
    return true;
  }

  #lose(why: string): void {
    const id = this.#id;
    if (id === undefined || this.#released) return;
    this.#options.logger.error(
      `this server lost its lease: ${why}. Its runs end here, and servers that have one go on with them`,
    );
    this.#id = undefined;
    // It is over soon by itself.
    this.#statements.end(id).catch(() => undefined);
    this.#lost.emit();
  }

  #schedule(ms: number): void {
    if (this.#released) return;
    this.#next = setTimeout(() => {
      this.#ticking = this.#tick();
    }, ms).unref();
  }

  async #tick(): Promise<void> {
    try {
      await this.#renew();
      this.#isFailing = false;
      this.#schedule(this.#id === undefined ? 0 : this.#everyMs);
    } catch (error) {
      // The reason is logged once, and not at every attempt.
      if (!this.#isFailing && !this.#released)
        this.#options.logger.warn(
          `the lease of this server could not be renewed, which is tried again: ${String(error)}`,
        );
      this.#isFailing = true;
      this.#schedule(Math.min(RETRY_MS, this.#everyMs));
    }
    if (this.#id !== undefined && !this.#released) this.#renewed.emit();
  }
}

function lockedBy(schema: string): string {
  return (
    `Schema ${schema} is in use by a Graphlib server that has it for itself: ` +
    "start that one with GRAPHLIB_ROLES too, or set DATABASE_SCHEMA or DATABASE_URL to another"
  );
}

/**
 * Waits until the leases of servers that are gone are over. Throws when a server renews its own: then the schema is shared, and
 * the caller cannot have it for itself.
 */
export async function requireNoLeases(url: string, schema: string): Promise<void> {
  const statements = leaseStatements(url, schema, LINGER_MS);
  const until = performance.now() + LEFT_MS;
  const first = new Map<string, number>();
  const isRenewed = ({ executor_id, expires }: StoredLease): boolean => first.get(executor_id) !== expires;
  try {
    for (;;) {
      const leases = await statements.list();
      if (leases.length === 0) return;
      if (first.size === 0) for (const { executor_id, expires } of leases) first.set(executor_id, expires);
      if (leases.some(isRenewed) || performance.now() > until) {
        const hosts = [...new Set(leases.map(({ host }) => host))].join(", ");
        throw new Error(
          `Schema ${schema} is shared by servers with GRAPHLIB_ROLES (on ${hosts}): ` +
            "stop them, start this one with GRAPHLIB_ROLES too, or set DATABASE_SCHEMA or DATABASE_URL to another",
        );
      }
      await sleep(RETRY_MS);
    }
  } finally {
    await statements.close();
  }
}
