/** A long list that is read page by page, of which only the pages near the visible rows are kept in memory. */
import { errorMessage } from "../rules/text/error-message.ts";
import { type ListPage, PageSlots } from "./page-slots.ts";

/** Reads the page that begins at a cursor; the empty one is the beginning. */
export type ReadPage<Row> = (cursor: string, signal: AbortSignal) => Promise<ListPage<Row>>;

export interface ListState {
  /** The number of rows that are known so far. */
  readonly count: number;
  readonly hasMore: boolean;
  /** False until the first page has arrived. */
  readonly isLoaded: boolean;
  /** The reason why the newest read failed. */
  readonly failure: string | undefined;
}

export interface PageListOptions<Row> {
  readonly read: ReadPage<Row>;
  readonly keyOf: (row: Row) => string;
  /** Called after every change. */
  readonly onChange: () => void;
}

export type PageList<Row> = ReturnType<typeof createPageList<Row>>;

const EMPTY: ListState = { count: 0, hasMore: true, isLoaded: false, failure: undefined };

export function createPageList<Row>({ read, keyOf, onChange }: PageListOptions<Row>) {
  const slots = new PageSlots<Row>();
  let controller = new AbortController();
  let state = EMPTY;
  let isReading = false;

  /** Reads pages one after the other until all visible rows are there. */
  async function readWanted(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const { signal } = controller;
    for (let slot = slots.wanted(); slot && !signal.aborted; slot = slots.wanted()) {
      // A refresh during the read makes the page stale again.
      slot.isStale = false;
      try {
        const page = await read(slot.cursor, signal);
        if (signal.aborted) return;
        slots.store(slot, page);
        state = { count: slots.count, hasMore: slots.hasMore, isLoaded: true, failure: undefined };
      } catch (error) {
        if (signal.aborted) return;
        slots.giveUp(slot);
        state = { ...state, failure: errorMessage(error) };
      }
      onChange();
      if (state.failure !== undefined) break;
    }
    isReading = false;
  }

  return {
    state: (): ListState => state,
    row: (index: number): Row | undefined => slots.row(index),
    /** Returns the index of a row; -1 if it is not in memory. */
    indexOf: (key: string): number => slots.indexOf((row) => keyOf(row) === key),
    /** Returns the rows that are in memory. */
    rows: (): Row[] => slots.rows,
    /** Tells which rows are visible, and reads what is missing of them. */
    show(first: number, last: number): void {
      slots.show(first, last);
      if (state.failure === undefined) void readWanted();
    },
    /** Reads the visible rows again; the others when they become visible. */
    async refresh(): Promise<void> {
      slots.makeStale();
      await readWanted();
    },
    /** Makes a list that was closed read again. */
    open(): void {
      if (!controller.signal.aborted) return;
      controller = new AbortController();
      isReading = false;
      void readWanted();
    },
    close: (): void => controller.abort(),
  };
}
