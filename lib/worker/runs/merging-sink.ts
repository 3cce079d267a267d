import type { PieceTemplate } from "../../protocol/piece-lines.ts";

/** The receiver of the events of one run. */
export interface EventSink {
  /** `data` is JSON text. */
  send(event: string, data: string): void;
  /** Sends an event whose data is that of the template around `text`, the JSON of a string. */
  sendPiece(template: PieceTemplate, text: string): void;
  /** True while the receiver is behind. */
  readonly full: boolean;
  /** Resolves as soon as the receiver has caught up. */
  drained(): Promise<void>;
}

export interface MergingSink extends EventSink {
  /** Sends an event that replaces the one before it with the same key, if that could not leave yet. */
  replace(key: string, event: string, data: () => string): void;
  /** True when something was sent although the receiver was behind: the queue would grow without a bound. */
  readonly overrun: boolean;
  /** Sends everything that is held back. */
  release(): void;
}

/** Sends a slow receiver fewer and newer events of the replaceable kind, and all others in order. */
export function mergingSink(sink: EventSink): MergingSink {
  const held = new Map<string, { event: string; data: () => string }>();
  let sentWhileFull = false;
  const release = () => {
    for (const { event, data } of held.values()) sink.send(event, data());
    held.clear();
  };
  return {
    send(event, data) {
      if (held.size > 0) release();
      sentWhileFull = sink.full;
      sink.send(event, data);
    },
    sendPiece(template, text) {
      if (held.size > 0) release();
      sentWhileFull = sink.full;
      sink.sendPiece(template, text);
    },
    replace(key, event, data) {
      if (sink.full) {
        if (held.size === 0) void sink.drained().then(release);
        held.set(key, { event, data });
        return;
      }
      held.delete(key);
      if (held.size > 0) release();
      sink.send(event, data());
    },
    get full() {
      return sink.full;
    },
    get overrun() {
      return sentWhileFull && sink.full;
    },
    drained: () => sink.drained(),
    release,
  };
}
