import { beginTurn, foldEvents, type HeardEvent, historyOf, type Turn } from "../rules/transcript.ts";
import { type FollowEnd, followRun } from "./follow-run.ts";
import { newId } from "./new-id.ts";

/** A turn and how its run ended; `end` is absent while it runs. */
export interface Exchange {
  readonly turn: Turn;
  readonly end?: FollowEnd;
}

export interface ChatState {
  readonly exchanges: readonly Exchange[];
  readonly running: boolean;
}

/** Where a conversation outlives its page; the browser's session storage. */
export interface Keep {
  read(): string | null;
  write(text: string): void;
}

export interface Chat {
  readonly state: () => ChatState;
  /** Calls back after every change; returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly send: (question: string) => Promise<void>;
  /** Asks the last question again, in other words where given; its old answer goes. */
  readonly askAgain: (question?: string) => Promise<void>;
  readonly stop: () => void;
  readonly clear: () => void;
  /** Keeps what there is now; for a page that is left in mid-answer. */
  readonly save: () => void;
  /** Takes up what was kept. Once, when the page is there to show it. */
  readonly restore: () => void;
}

/** Events are folded in together at most this often: a token each would be a rendering each. */
const FLUSH_MS = 32;

/** A page that is left loses its connections a moment before it hears so: that is no failure to tell about. */
const LEAVING_MS = 120;

const EMPTY: ChatState = { exchanges: [], running: false };

/** A conversation with one assistant, without a thread: every run gets the whole history as its input. */
export function createChat(base: string, assistant: string, keep: Keep): Chat {
  let current = EMPTY;
  let abort: AbortController | undefined;
  const listeners = new Set<() => void>();

  function set(exchanges: readonly Exchange[]): void {
    const running = exchanges.some((one) => !one.end);
    current = { exchanges, running };
    for (const listener of listeners) listener();
  }

  /** What still runs ends with its page, and is kept as stopped. */
  function save(): void {
    const ended = current.exchanges.map((one): Exchange => ({ ...one, end: one.end ?? { how: "stopped" } }));
    keep.write(JSON.stringify(ended));
  }

  async function ask(question: string, before: readonly Exchange[]): Promise<void> {
    if (current.running) return;
    const earlier = before.map((one) => one.turn);
    const first = beginTurn(newId(), question, earlier);
    const controller = new AbortController();
    abort = controller;
    set([...before, { turn: first }]);
    save();
    const fold = folding(first, (turn) => {
      // A conversation that was cleared meanwhile has no place for it.
      if (abort === controller) set([...before, { turn }]);
    });
    const request = {
      assistant_id: assistant,
      input: { messages: historyOf([...earlier, first]) },
      stream_mode: ["messages-tuple" as const, "values" as const],
      on_disconnect: "cancel" as const,
    };
    const end = await followRun(base, request, { signal: controller.signal, onEvent: fold.add });
    if (end.how === "lost") await new Promise((later) => setTimeout(later, LEAVING_MS));
    if (abort !== controller) return;
    set([...before, { turn: fold.finish(), end }]);
    save();
  }

  return {
    state: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (question) => ask(question, current.exchanges),
    askAgain: (question) => {
      const last = current.exchanges.at(-1);
      return last ? ask(question ?? last.turn.question, current.exchanges.slice(0, -1)) : Promise.resolve();
    },
    stop: () => abort?.abort(),
    clear: () => {
      abort?.abort();
      abort = undefined;
      set([]);
      save();
    },
    save,
    restore: () => {
      if (current === EMPTY) set(kept(keep.read()));
    },
  };
}

/** Gathers events and folds them in batches. */
function folding(start: Turn, onTurn: (turn: Turn) => void) {
  let turn = start;
  let waiting: HeardEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function finish(): Turn {
    clearTimeout(timer);
    timer = undefined;
    turn = foldEvents(turn, waiting);
    waiting = [];
    return turn;
  }
  return {
    finish,
    add: (event: HeardEvent): void => {
      waiting.push(event);
      timer ??= setTimeout(() => onTurn(finish()), FLUSH_MS);
    },
  };
}

/** Only this module writes what it reads here; anything else than its JSON is as good as nothing. */
function kept(text: string | null): readonly Exchange[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? (parsed as Exchange[]) : [];
  } catch {
    return [];
  }
}
