/** Composes how servers that share a database reach each other. */
import { noBus } from "../drivers/bus/no-bus.ts";
import type { DeploymentLoops } from "../engine/deployment-loops.ts";
import type { Bus } from "../engine/ports/bus.ts";
import { noPeers, type Peers } from "../engine/ports/peers.ts";
import type { Lease } from "../engine/ports/lease.ts";
import type { Deployment, Logger } from "../engine/ports/ports.ts";

/** A server that shares its databases with others has these parts in addition. */
export interface Sharing {
  readonly lease: Lease;
  readonly bus: Bus;
  readonly wakes: Wakes;
}

/** Opens the bus. The client of Redis is loaded only by servers that use it. */
export async function openBus(url: string | undefined, prefix: string, logger: Logger): Promise<Bus> {
  if (url === undefined) return noBus;
  const { redisBus } = await import("../drivers/bus/redis.ts");
  return redisBus({ url, prefix, logger });
}

/** Returns how a deployment reaches the other servers; a server that has its databases for itself has none. */
export function peersOf(sharing: Sharing | undefined, name: string, executes: boolean): Peers {
  if (!sharing) return noPeers;
  const { bus } = sharing;
  return {
    executeAll: !executes,
    wakeOne: () => bus.wakeOne(`${name}:wake`),
    cancel: (runId) => bus.publish(`${name}:cancel`, runId),
    taskChanged: (taskId) => bus.publish(`${name}:task`, taskId),
  };
}

interface Joining {
  deployment: Deployment;
  loops: DeploymentLoops;
  /** Ends the runs that this server executes. */
  abandonRuns: (reason: string) => void;
}

/** Does what other servers of a deployment want of this one. Returns a function that stops it. */
export function joinPeers({ lease, bus, wakes }: Sharing, { deployment, loops, abandonRuns }: Joining): () => void {
  const { name, worker, taskFeeds } = deployment;
  const heard = [
    bus.listen(`${name}:cancel`, (runId) => void worker.cancel(runId)),
    bus.listen(`${name}:task`, taskFeeds.refresh),
  ];
  const forget = heard.map(({ stop }) => stop);
  const { dispatcher } = loops;
  if (dispatcher) {
    forget.push(lease.onLost(() => abandonRuns("its server lost its lease")));
    forget.push(wakes.add(`${name}:wake`, dispatcher));
  }
  return () => forget.forEach((one) => one());
}

/** The dispatchers of this server, by the queue on which it waits for their wakes. */
export type Wakes = ReturnType<typeof createWakes>;

/** Wakes dispatchers that have a free slot, as long as it is not stopped. */
export function createWakes(bus: Bus) {
  const dispatchers = new Map<string, Pick<NonNullable<DeploymentLoops["dispatcher"]>, "wake" | "isFull">>();
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const waiting = [...dispatchers].filter(([, { isFull }]) => !isFull()).map(([queue]) => queue);
      const queue = await bus.waitForWake(waiting, stopping.signal);
      if (queue !== undefined) dispatchers.get(queue)?.wake();
    }
  };
  void run();
  return {
    /** Returns a function that removes it. */
    add(queue: string, dispatcher: Parameters<typeof dispatchers.set>[1]): () => void {
      dispatchers.set(queue, dispatcher);
      return () => void dispatchers.delete(queue);
    },
    stop: (): void => stopping.abort(),
  };
}
