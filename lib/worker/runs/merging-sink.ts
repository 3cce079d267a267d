/** Where the events of one run go. */
export interface EventSink {
  /** `data` is JSON text. */
  send(event: string, data: string): void;
  /** True while the receiver is behind. */
  readonly full: boolean;
  /** Resolves as soon as it is not. */
  drained(): Promise<void>;
}

export interface MergingSink extends EventSink {
  /** An event that takes the place of the one before it with the same key, if that could not leave yet. */
  replace(key: string, event: string, data: () => string): void;
  /** True when something was sent to a receiver that was behind already: what waits would grow without a bound. */
  readonly overrun: boolean;
  /** Sends what is held back. */
  release(): void;
}

/** A receiver that is behind gets fewer and newer events of the replaceable kind, and all of the others, in order. */
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
