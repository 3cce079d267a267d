import { isoTime } from "../../../protocol/iso-time.ts";
import { sql } from "kysely";
import type { LineLog } from "../../../engine/ports/line-log.ts";
import type { LogLine, NewLine } from "../../../protocol/revisions.ts";
import { lockName } from "../dialect.ts";
import type { GroupCommit } from "../group-commit.ts";
import { fromJson } from "../json-column.ts";
import type { PlatformDb, PlatformTables } from "./tables.ts";

export interface LineOptions {
  now: () => number;
  onFailure: (cause: unknown) => void;
  /** The pause between two looks at what other servers may have written, in ms. Undefined if there are none. */
  pollMs?: number | undefined;
}

/** The most lines of one log that wait to be stored. Further ones are dropped and counted in the log. */
const WAITING = 20_000;
const LINE_CHARS = 4_000;
/** The default size limit of a log. */
const LOG_BYTES = 16 * 1024 * 1024;
/** The share of its limit to which a log that is too large is shortened, so that this happens rarely. */
const KEPT = 0.9;
/** Rows that are read at a time to find those to delete. */
const ROWS = 200;
/** The number of logs above which idle ones are evicted from memory. */
const MOST_LOGS = 10_000;

/** A line, and the time at which it arrived, in ms since the epoch. */
interface WaitingLine {
  line: NewLine;
  at: number;
}

interface LogState {
  /** The size of the stored lines, and the number of the next one; undefined until they have been read. */
  stored: { bytes: number; next: number } | undefined;
  /** The size above which the oldest lines are deleted. */
  maxBytes: number;
  waiting: WaitingLine[];
  dropped: number;
  wakes: Set<() => void>;
}

/**
 * Numbers and stores lines in the order of the calls, also while other servers write to the same log. Lines that arrive during
 * one write are stored by the next.
 */
export class SqlLines implements LineLog {
  readonly #db: PlatformDb;
  readonly #commit: GroupCommit<PlatformTables>;
  readonly #options: LineOptions;
  readonly #states = new Map<string, LogState>();
  #writing: Promise<void> | undefined;

  constructor(db: PlatformDb, commit: GroupCommit<PlatformTables>, options: LineOptions) {
    this.#db = db;
    this.#commit = commit;
    this.#options = options;
  }

  append(log: string, lines: readonly NewLine[], maxBytes = LOG_BYTES): void {
    const state = this.#stateOf(log);
    state.maxBytes = maxBytes;
    for (const line of lines) {
      if (state.waiting.length >= WAITING) state.dropped++;
      else state.waiting.push({ line, at: this.#options.now() });
    }
    this.#writing ??= Promise.resolve().then(() => this.#write());
  }

  async flush(): Promise<void> {
    await this.#writing;
  }

  read(log: string, after: number, limit: number): Promise<LogLine[]> {
    return read(this.#db, log, after, limit);
  }

  async tail(log: string, limit: number): Promise<LogLine[]> {
    const next = await nextOf(this.#db, log);
    return await read(this.#db, log, next - 1 - limit, limit);
  }

  async changed(log: string, after: number, signal: AbortSignal): Promise<void> {
    const state = this.#stateOf(log);
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    state.wakes.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    const { pollMs } = this.#options;
    const polling = pollMs === undefined ? undefined : setInterval(wake, pollMs);
    // A line may have arrived since the caller's read found nothing.
    if ((await nextOf(this.#db, log)) - 1 <= after && !signal.aborted) await promise;
    clearInterval(polling);
    signal.removeEventListener("abort", wake);
    state.wakes.delete(wake);
  }

  async delete(log: string): Promise<void> {
    await this.#writing;
    this.#states.delete(log);
    await this.#commit((tx) => tx.deleteFrom("log_lines").where("log", "=", log).execute());
  }

  async sweep({ writtenBefore, most }: { writtenBefore: number; most: number }): Promise<void> {
    // The newest lines of a log always stay, because its next number is read from them.
    const newest = sql<number>`(select max(newest.last_line) from ${sql.table("log_lines")} as newest where newest.log = log_lines.log)`;
    await this.#commit((tx) =>
      tx
        .deleteFrom("log_lines")
        .where((line) =>
          line.or([
            line.and([line("written", "<", writtenBefore), line("last_line", "<", newest)]),
            line("last_line", "<", sql<number>`${newest} - ${most}`),
          ]),
        )
        .execute(),
    );
    for (const state of this.#states.values()) state.stored = undefined;
  }

  #stateOf(log: string): LogState {
    const known = this.#states.get(log);
    if (known) return known;
    const state: LogState = {
      stored: undefined,
      maxBytes: LOG_BYTES,
      waiting: [],
      dropped: 0,
      wakes: new Set(),
    };
    this.#states.set(log, state);
    return state;
  }

  async #write(): Promise<void> {
    for (;;) {
      const due = [...this.#states].filter(([, state]) => state.waiting.length > 0);
      if (due.length === 0) break;
      for (const [log, state] of due) await this.#writeOne(log, state);
    }
    evictIdle(this.#states);
    this.#writing = undefined;
  }

  async #writeOne(log: string, state: LogState): Promise<void> {
    const { stored, maxBytes } = state;
    try {
      const lines = takeWaiting(state);
      state.stored = await this.#commit(async (tx) => {
        await lockName(tx, `lines of ${log}`);
        const first = await nextOf(tx, log);
        // Another server may have written to this log.
        const before = stored?.next === first ? stored.bytes : await sizeOf(tx, log);
        const bytes = before + (await store(tx, log, numbered(lines, first), this.#options.now()));
        const freed = bytes <= maxBytes ? 0 : await shorten(tx, log, bytes - maxBytes * KEPT);
        return { bytes: bytes - freed, next: first + lines.length };
      });
    } catch (cause) {
      state.dropped += state.waiting.length;
      state.waiting = [];
      state.stored = undefined;
      this.#options.onFailure(cause);
    }
    for (const wake of state.wakes) wake();
  }
}

/** Removes the waiting lines from a log's state. */
function takeWaiting(state: LogState): WaitingLine[] {
  const { waiting, dropped } = state;
  state.waiting = [];
  state.dropped = 0;
  if (dropped > 0) {
    const text = `${dropped} lines were dropped: they came faster than they could be stored`;
    waiting.push({ line: { stream: "us", text }, at: waiting.at(-1)?.at ?? 0 });
  }
  return waiting;
}

function numbered(lines: readonly WaitingLine[], first: number): LogLine[] {
  return lines.map(({ line, at }, index) => ({
    id: first + index,
    at: isoTime(at),
    ...line,
    text: line.text.slice(0, LINE_CHARS),
  }));
}

/** Stores lines and returns how many bytes they take. */
async function store(tx: PlatformDb, log: string, lines: readonly LogLine[], written: number): Promise<number> {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return 0;
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  await tx
    .insertInto("log_lines")
    .values({
      log,
      first_line: first.id,
      last_line: last.id,
      lines: text,
      written,
    })
    .execute();
  return Buffer.byteLength(text);
}

async function sizeOf(db: PlatformDb, log: string): Promise<number> {
  const row = await db
    .selectFrom("log_lines")
    .select(sql<number | string | null>`sum(octet_length(lines))`.as("bytes"))
    .where("log", "=", log)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Deletes the oldest rows until `bytes` are freed, but never the newest row. Returns how many bytes were freed. */
async function shorten(tx: PlatformDb, log: string, bytes: number): Promise<number> {
  let freed = 0;
  let cut = -1;
  while (freed < bytes) {
    const rows = await tx
      .selectFrom("log_lines")
      .select(["last_line", sql<number>`octet_length(lines)`.as("bytes")])
      .where("log", "=", log)
      .where("last_line", ">", cut)
      .orderBy("last_line")
      .limit(ROWS + 1)
      .execute();
    // The last row of this read may be the newest, from which the next line's number is derived.
    const older = rows.slice(0, -1);
    if (older.length === 0) break;
    for (const row of older) {
      if (freed >= bytes) break;
      freed += row.bytes;
      cut = row.last_line;
    }
  }
  await tx.deleteFrom("log_lines").where("log", "=", log).where("last_line", "<=", cut).execute();
  return freed;
}

async function nextOf(db: PlatformDb, log: string): Promise<number> {
  const row = await db
    .selectFrom("log_lines")
    .select(sql<number | null>`max(last_line)`.as("last"))
    .where("log", "=", log)
    .executeTakeFirst();
  return (row?.last ?? -1) + 1;
}

async function read(db: PlatformDb, log: string, after: number, limit: number): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  let from = after;
  while (lines.length < limit) {
    const rows = await db
      .selectFrom("log_lines")
      .select(["last_line", "lines"])
      .where("log", "=", log)
      .where("last_line", ">", from)
      .orderBy("last_line")
      .limit(20)
      .execute();
    const last = rows.at(-1);
    if (!last) break;
    from = last.last_line;
    for (const row of rows) {
      const found = row.lines.split("\n").map((text) => fromJson<LogLine>(text));
      lines.push(...found.filter((line) => line.id > after));
    }
  }
  return lines.slice(0, limit);
}

/** Evicts the state of logs that nobody writes or follows. It can be read again. */
function evictIdle(states: Map<string, LogState>): void {
  if (states.size <= MOST_LOGS) return;
  for (const [log, state] of states) if (state.wakes.size === 0 && state.waiting.length === 0) states.delete(log);
}
