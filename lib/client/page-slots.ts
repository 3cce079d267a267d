export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** A page of a list. */
export interface Slot<Row> {
  cursor: string;
  /** The number of rows, which stays known when they are dropped. */
  count: number;
  rows: readonly Row[] | undefined;
  /** True if the rows must be read again once they are visible. */
  isStale: boolean;
}

/** Pages on each side of the visible ones whose rows stay in memory. */
const KEPT_PAGES = 8;
/** The next page is read when fewer rows than this follow the visible ones. */
const AHEAD = 60;

/** The pages of a list that are known so far, and which of them are visible. */
export class PageSlots<Row> {
  readonly #slots: Slot<Row>[] = [emptySlot("")];
  #next: string | undefined;
  #visible = { first: 0, last: 0 };

  get count(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.count, 0);
  }

  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  /** Returns the rows that are in memory. */
  get rows(): Row[] {
    return this.#slots.flatMap((slot) => slot.rows ?? []);
  }

  show(first: number, last: number): void {
    this.#visible = { first, last };
  }

  row(index: number): Row | undefined {
    return this.#find((slot, start) => (index < start + slot.count ? { row: slot.rows?.[index - start] } : undefined))
      ?.row;
  }

  /** Returns the index of the first row for which the test is true; -1 if none is in memory. */
  indexOf(test: (row: Row) => boolean): number {
    const found = this.#find((slot, start) => {
      const at = slot.rows?.findIndex(test) ?? -1;
      return at < 0 ? undefined : start + at;
    });
    return found ?? -1;
  }

  makeStale(): void {
    for (const slot of this.#slots) slot.isStale = true;
  }

  /** Returns the first page to read: a visible one that is missing or stale, else the one after the end. */
  wanted(): Slot<Row> | undefined {
    const stale = this.#find((slot, start) =>
      this.#isVisible(slot, start) && (slot.isStale || !slot.rows) ? slot : undefined,
    );
    if (stale) return stale;
    if (this.#next === undefined || this.#visible.last + AHEAD < this.count) return undefined;
    const slot = emptySlot<Row>(this.#next);
    this.#slots.push(slot);
    return slot;
  }

  /** Stores a page that was read. */
  store(slot: Slot<Row>, { rows, next }: ListPage<Row>): void {
    const place = this.#slots.indexOf(slot);
    if (place < 0) return;
    slot.rows = rows;
    slot.count = rows.length;
    const after = this.#slots[place + 1];
    if (!after || next === undefined) {
      this.#slots.length = place + 1;
      this.#next = next;
    } else if (after.cursor !== next) {
      // Rows came or went before the next page, so it begins elsewhere.
      after.cursor = next;
      after.isStale = true;
    }
    this.#dropFar();
  }

  /** Takes back a page that could not be read. If it was never read before, its cursor is tried again later. */
  giveUp(slot: Slot<Row>): void {
    slot.isStale = true;
    if (this.#slots.length > 1 && slot === this.#slots.at(-1) && !slot.rows) this.#next = this.#slots.pop()?.cursor;
  }

  /** Drops the rows of pages that are far from the visible ones. */
  #dropFar(): void {
    const visible: number[] = [];
    this.#find((slot, start, place) => {
      if (this.#isVisible(slot, start)) visible.push(place);
      return undefined;
    });
    const end = this.#slots.length - 1;
    const first = visible[0] ?? end;
    const last = visible.at(-1) ?? end;
    for (const [place, slot] of this.#slots.entries())
      if (place < first - KEPT_PAGES || place > last + KEPT_PAGES) slot.rows = undefined;
  }

  #isVisible(slot: Slot<Row>, start: number): boolean {
    return start <= this.#visible.last && start + Math.max(1, slot.count) > this.#visible.first;
  }

  /** Calls back for each page with the index of its first row. Stops when the callback returns a value. */
  #find<Found>(test: (slot: Slot<Row>, start: number, place: number) => Found | undefined): Found | undefined {
    let start = 0;
    for (const [place, slot] of this.#slots.entries()) {
      const found = test(slot, start, place);
      if (found !== undefined) return found;
      start += slot.count;
    }
    return undefined;
  }
}

function emptySlot<Row>(cursor: string): Slot<Row> {
  return { cursor, count: 0, rows: undefined, isStale: true };
}
