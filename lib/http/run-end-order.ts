/** One subscription of a connection that has several. */
export interface OrderedSubscription {
  /**
   * Resolves once the end of a run may be sent. Before the call, the subscription has sent the run's events that come
   * before the end. `run` is the run's position in its thread.
   */
  atEnd(run: number): Promise<void>;
  /** Ends the subscription, so that no other waits for it. */
  leave(): void;
}

export interface RunEndOrder {
  join(): OrderedSubscription;
}

export interface RunEndDelays {
  /** The time after a subscription in which its client may make another, in ms. Ends wait until it is over. */
  moreMs: number;
  /** The longest that an end waits, in ms. */
  mostMs: number;
}

interface Member {
  /** The last run to whose end it has come; -1 before the first. */
  run: number;
  /** Set while it waits to send this end. */
  resume?: () => void;
}

/**
 * Keeps the end of a run behind the run's other events in all subscriptions of a connection. The client for JavaScript
 * subscribes several times in a row, and takes nothing more of a run 1 ms after it has seen its end in one of them.
 * A run that was deleted never comes to its end in a later subscription, so the wait is limited.
 */
export function runEndOrder({ moreMs, mostMs }: RunEndDelays): RunEndOrder {
  const members = new Set<Member>();
  /** The newest subscription, while another may follow it. */
  let newest: Member | undefined;

  const resumeReady = (): void => {
    if (newest) return;
    const slowest = Math.min(...Array.from(members, ({ run }) => run));
    for (const { run, resume } of members) if (run <= slowest) resume?.();
  };
  return {
    join() {
      const member: Member = { run: -1 };
      members.add(member);
      newest = member;
      const endOfMore = (): void => {
        if (newest !== member) return;
        newest = undefined;
        resumeReady();
      };
      // The next subscription may have come while the server was busy. What has come is read before `setImmediate` calls.
      setTimeout(() => setImmediate(endOfMore), moreMs);
      return {
        async atEnd(run) {
          const { promise, resolve } = Promise.withResolvers<void>();
          const timer = setTimeout(resolve, mostMs);
          member.run = run;
          member.resume = resolve;
          resumeReady();
          await promise;
          member.resume = undefined;
          clearTimeout(timer);
        },
        leave() {
          members.delete(member);
          member.resume?.();
          resumeReady();
        },
      };
    },
  };
}
