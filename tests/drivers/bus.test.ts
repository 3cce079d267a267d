/** Tests the bus on a Redis server of its own, which is ended and started again. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { redisBus } from "../../lib/drivers/bus/redis.ts";
import type { Bus } from "../../lib/engine/ports/bus.ts";
import { hasRedis, type OwnRedis, startRedis } from "../support/own-redis.ts";

describe.skipIf(!hasRedis())("the bus over Redis", () => {
  const buses: Bus[] = [];
  const logged: string[] = [];
  let redis: OwnRedis;

  const open = async (prefix = "test"): Promise<Bus> => {
    const log = (message: string): void => void logged.push(message);
    const bus = redisBus({ url: redis.url, prefix, logger: { warn: log, error: log } });
    buses.push(bus);
    if (redis.pid() !== undefined) await expect.poll(() => bus.isConnected()).toBe(true);
    return bus;
  };

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const bus of buses.splice(0)) await bus.close();
    logged.length = 0;
  });
  afterAll(() => redis.remove());

  test("brings each message to all listeners of its topic, in order, and to nobody else", async () => {
    const [a, b, other] = [await open(), await open(), await open("another")];
    const heard: string[] = [];
    const listeners = [a, b, other].map((bus, index) => bus.listen("news", (text) => heard.push(`${index} ${text}`)));
    a.listen("weather", (text) => heard.push(text));
    await Promise.all(listeners.map(({ ready }) => ready));
    for (const text of ["1", "2\n3"]) a.publish("news", text);
    await expect.poll(() => heard.toSorted()).toEqual(["0 1", "0 2\n3", "1 1", "1 2\n3"]);
    listeners[1]?.stop();
    a.publish("news", "4");
    await expect.poll(() => heard.at(-1)).toBe("0 4");
    expect(heard.filter((text) => text === "1 4")).toEqual([]);
    expect(logged).toEqual([]);
  });

  test("wakes one of those who wait, and keeps a few wakes for who waits later", async () => {
    const [a, b] = [await open(), await open()];
    const { signal } = new AbortController();
    const waiting = [a.waitForWake(["x", "y"], signal), b.waitForWake(["y"], signal)];
    a.wakeOne("y");
    const woken = await Promise.all(waiting);
    expect(woken.filter((queue) => queue === "y")).toHaveLength(1);
    for (let n = 0; n < 200; n++) a.wakeOne("z");
    let count = 0;
    while ((await b.waitForWake(["z"], signal)) === "z") count++;
    // One or the other may have been taken before the last were added.
    expect(count).toBeGreaterThanOrEqual(64);
    expect(count).toBeLessThan(100);
  });

  test("does without Redis, and goes on when it is back", async () => {
    const bus = await open();
    const heard: string[] = [];
    await bus.listen("news", (text) => heard.push(text)).ready;
    let connections = 0;
    bus.onConnected(() => connections++);
    await redis.stop();
    await expect.poll(() => bus.isConnected()).toBe(false);
    bus.publish("news", "lost");
    bus.wakeOne("x");
    expect(await bus.waitForWake(["x"], new AbortController().signal)).toBeUndefined();
    const late = bus.listen("late", (text) => heard.push(text));
    await late.ready;
    await redis.start();
    await expect.poll(() => connections, { timeout: 10_000 }).toBe(1);
    bus.publish("news", "found");
    bus.publish("late", "too");
    await expect.poll(() => heard).toEqual(["found", "too"]);
    expect(logged).toEqual([
      expect.stringContaining("Redis is not in reach, and servers look at the database instead"),
      "Redis is in reach again",
    ]);
  });

  test("starts without Redis", async () => {
    await redis.stop();
    const bus = await open();
    expect(bus.isConnected()).toBe(false);
    await redis.start();
    await expect.poll(() => bus.isConnected(), { timeout: 10_000 }).toBe(true);
  });

  test("ends a wait on abort and when it is closed", async () => {
    const bus = await open();
    const leave = new AbortController();
    const waiting = bus.waitForWake(["x"], leave.signal);
    leave.abort();
    expect(await waiting).toBeUndefined();
    const closed = bus.waitForWake(["x"], new AbortController().signal);
    await bus.close();
    expect(await closed).toBeUndefined();
  });
});
