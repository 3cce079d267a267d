import type { Bus } from "../../engine/ports/bus.ts";

/** The bus of servers that have none: nothing arrives, so listeners look in the database. */
export const noBus: Bus = {
  publish: () => undefined,
  listen: () => ({ ready: Promise.resolve(), stop: () => undefined }),
  wakeOne: () => undefined,
  waitForWake: (_queues, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true })),
  isConnected: () => false,
  onConnected: () => () => undefined,
  close: () => Promise.resolve(),
};
