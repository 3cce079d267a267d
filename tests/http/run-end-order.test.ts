import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type OrderedSubscription, runEndOrder } from "../../lib/http/run-end-order.ts";

const DELAYS = { moreMs: 20, mostMs: 1_000 };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A subscription that reads one run after the other. */
interface Reader {
  ordered: OrderedSubscription;
  /** The last run whose end it has come to. */
  run: number;
  isWaiting: boolean;
}

const Step = fc.record({
  kind: fc.constantFrom("join", "end", "end", "end", "end", "leave", "pass", "pass"),
  pick: fc.nat(),
});

describe("the end of a run", () => {
  test("is sent when all subscriptions have sent what comes before it, and not earlier", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { maxLength: 60 }), async (steps) => {
        const order = runEndOrder({ ...DELAYS, mostMs: 100_000 });
        const readers: Reader[] = [];
        const early: Reader[] = [];
        let sinceJoin = 0;
        for (const { kind, pick } of steps) {
          const ready = readers.filter(({ isWaiting }) => !isWaiting);
          const reader = ready[pick % Math.max(1, ready.length)];
          if (kind === "join") {
            readers.push({ ordered: order.join(), run: -1, isWaiting: false });
            sinceJoin = 0;
          } else if (kind === "pass") {
            for (const until = sinceJoin + (pick % 2 === 0 ? 7 : 25); sinceJoin < until; sinceJoin++)
              await vi.advanceTimersByTimeAsync(1);
          } else if (reader && kind === "leave") {
            readers.splice(readers.indexOf(reader), 1);
            reader.ordered.leave();
          } else if (reader) {
            reader.run++;
            reader.isWaiting = true;
            void reader.ordered.atEnd(reader.run).then(() => {
              reader.isWaiting = false;
              // The timer of a step fires before the step is counted.
              const isBehind = readers.some(({ run }) => run < reader.run);
              if (isBehind || sinceJoin + 1 < DELAYS.moreMs) early.push(reader);
            });
          }
          await vi.advanceTimersByTimeAsync(0);
          expect(early).toEqual([]);
          const slowest = Math.min(...readers.map(({ run }) => run));
          if (sinceJoin >= DELAYS.moreMs)
            for (const { run, isWaiting } of readers) expect(isWaiting && run <= slowest).toBe(false);
        }
      }),
    );
  });

  test("waits for a subscription that is made shortly after the others", async () => {
    const order = runEndOrder(DELAYS);
    const [first, sent] = [order.join(), vi.fn<() => void>()];
    void first.atEnd(3).then(sent);
    await vi.advanceTimersByTimeAsync(19);
    const second = order.join();
    void second.atEnd(3);
    await vi.advanceTimersByTimeAsync(19);
    expect(sent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits a second at the most for a subscription that never comes to it", async () => {
    const order = runEndOrder(DELAYS);
    const [first, sent] = [order.join(), vi.fn<() => void>()];
    order.join();
    void first.atEnd(0).then(sent);
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveBeenCalledOnce();
  });

  test("does not wait for its own subscription after that has left", async () => {
    const order = runEndOrder(DELAYS);
    const [first] = [order.join(), order.join()];
    const sent = vi.fn<() => void>();
    void first.atEnd(0).then(sent);
    first.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveBeenCalledOnce();
  });

  test("waits for a subscription that came while the server was busy", async () => {
    vi.useRealTimers();
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const [[accepted]] = (await Promise.all([once(server, "connection"), once(client, "connect")])) as [
      [Socket],
      unknown,
    ];
    const order = runEndOrder(DELAYS);
    const [first, sent] = [order.join(), vi.fn<() => void>()];
    void first.atEnd(0).then(sent);
    const joined = new Promise<OrderedSubscription>((resolve) => accepted.once("data", () => resolve(order.join())));
    await new Promise<void>((resolve) => client.write("subscribe", () => resolve()));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * DELAYS.moreMs);
    const second = await joined;
    expect(sent).not.toHaveBeenCalled();
    await second.atEnd(0);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
    client.destroy();
    server.close();
  });
});
