/** Tests readers who are announced before their run is stored, and servers whom nobody has asked for news of threads. */
import { afterAll, describe, expect, test, vi } from "vitest";
import { countReaders } from "../../lib/drivers/log/readers.ts";
import { sharedLog } from "../../lib/drivers/log/shared.ts";
import { follow } from "../../lib/engine/follow.ts";
import type { Bus } from "../../lib/engine/ports/bus.ts";
import { END } from "../../lib/protocol/stream.ts";
import { memoryBus } from "../support/memory-bus.ts";
import { type Writer, writersOnPostgres } from "../support/writers.ts";
import { begin, newRun, onThread } from "./runs.suite.ts";

const servers = await writersOnPostgres();
afterAll(() => servers.close());

const end = { event: END, data: "{}" };
const stored = () => {
  const run = newRun();
  return { ...run, threaded: true, kwargs: { ...run.kwargs, resumable: true } };
};

/** Notes the topics to which a server listens. */
function noting(bus: Bus): { bus: Bus; topics: string[] } {
  const topics: string[] = [];
  const listen: Bus["listen"] = (topic, listener) => {
    topics.push(topic);
    const heard = bus.listen(topic, listener);
    return {
      ready: heard.ready,
      stop() {
        topics.splice(topics.indexOf(topic), 1);
        heard.stop();
      },
    };
  };
  return { bus: { ...bus, listen }, topics };
}

/** Counts what a log asks the database for to follow runs. */
function counting({ runs }: Writer): { runs: Writer["runs"]; looks(): number } {
  const positions = vi.fn<Writer["runs"]["positions"]>((...of) => runs.positions(...of));
  const read = vi.fn<Writer["runs"]["read"]>((...of) => runs.read(...of));
  return { runs: { ...runs, positions, read }, looks: () => positions.mock.calls.length + read.mock.calls.length };
}

describe.skipIf(!servers.isFound)("a server that another one's runs are read from", () => {
  async function twoServers() {
    const { a, b } = await servers.openWriters("a", "b");
    const { bus, ...cable } = memoryBus();
    const { runs, looks } = counting(b);
    const heard = noting(bus);
    const logOf = (of: Writer["runs"], executor: string, by: Bus) =>
      sharedLog(of, { now: Date.now, executor: () => executor, bus: by, topic: "log", pollMs: 10 });
    const executor = { runs: a.runs, log: logOf(a.runs, "a", bus) };
    const reader = { runs, log: logOf(runs, "b", heard.bus) };
    const ids = async (runId: string): Promise<number[]> => {
      const all: number[] = [];
      for await (const batch of follow(reader, runId, -1)) all.push(...batch.map(({ id }) => id));
      return all;
    };
    const execute = async (): Promise<void> => {
      const [claim] = await executor.log.claim(1, begin);
      if (!claim) throw new Error("nothing to claim");
      await executor.log.append(claim.run_id, claim.token, [{ event: "custom", data: "1" }]);
      await executor.log.finish(claim, { status: "success" }, [end]);
    };
    return { reader, looks, topics: heard.topics, ids, execute, ...cable };
  }

  test("reads a run that was announced without a look into the database, and then hears no more of it", async () => {
    const { reader, looks, topics, ids, execute } = await twoServers();
    const run = stored();
    await reader.log.expectReader(run.run_id);
    await reader.runs.enqueue(...onThread(run));
    const reading = ids(run.run_id);
    await execute();
    expect(await reading).toEqual([0, 1, 2]);
    expect(looks()).toBe(0);
    expect(topics).toEqual([]);
  });

  test("reads all of a run that was executed before its reader began", async () => {
    const { reader, ids, execute, topics } = await twoServers();
    const run = stored();
    await reader.log.expectReader(run.run_id);
    await reader.runs.enqueue(...onThread(run));
    await execute();
    expect(await ids(run.run_id)).toEqual([0, 1, 2]);
    expect(topics).toEqual([]);
  });

  test.each(["before the run is announced", "before it is executed"])(
    "finds in the database what was published while the bus was cut %s",
    async (when) => {
      const { reader, ids, execute, cut, mend } = await twoServers();
      const run = stored();
      if (when.includes("announced")) cut();
      await reader.log.expectReader(run.run_id);
      await reader.runs.enqueue(...onThread(run));
      cut();
      await execute();
      mend();
      expect(await ids(run.run_id)).toEqual([0, 1, 2]);
    },
  );

  test("stores a run although the bus does not answer, and listens to it no longer when it is dropped", async () => {
    const { b } = await servers.openWriters("b");
    const { bus, topics } = noting(memoryBus().bus);
    const silent: Bus = {
      ...bus,
      listen: (...how) => ({ ...bus.listen(...how), ready: new Promise(() => undefined) }),
    };
    const log = sharedLog(b.runs, { now: Date.now, executor: () => "b", bus: silent, topic: "log", pollMs: 10 });
    const run = stored();
    await log.expectReader(run.run_id);
    expect(await b.runs.enqueue(...onThread(run))).toBe("stored");
    expect(topics).toEqual([`log:run:${run.run_id}`]);
    log.drop(run.run_id);
    expect(topics).toEqual([]);
    log.close();
  });

  test("hears nothing of a run that was announced and not stored", async () => {
    const { reader, topics } = await twoServers();
    const run = stored();
    await reader.log.expectReader(run.run_id);
    expect(topics).toHaveLength(1);
    reader.log.drop(run.run_id);
    expect(topics).toEqual([]);
  });

  test("is woken for the threads of others only while somebody wants to know of them", async () => {
    const { reader, topics } = await twoServers();
    const stops = [reader.log.onThreadChange(() => undefined), reader.log.watch("one").close];
    expect(topics).toEqual(["log:threads"]);
    stops[0]?.();
    expect(topics).toEqual(["log:threads"]);
    stops[1]?.();
    expect(topics).toEqual([]);
    // The server may have missed what happened before it listened again.
    const told = Promise.withResolvers<void>();
    const stop = reader.log.onThreadChange(told.resolve);
    await told.promise;
    stop();
  });
});

describe("a reader that is expected", () => {
  test("counts until it begins, or until it is clear that it will not", () => {
    vi.useFakeTimers();
    try {
      const left: string[] = [];
      const readers = countReaders((runId) => left.push(runId));
      readers.expect("begins");
      const release = readers.hold("begins");
      readers.expect("does not");
      readers.expect("is dropped");
      readers.unexpect("is dropped");
      expect(left).toEqual(["is dropped"]);
      vi.advanceTimersByTime(60_000);
      expect(left).toEqual(["is dropped", "does not"]);
      expect(readers.has("begins")).toBe(true);
      release();
      expect(left).toEqual(["is dropped", "does not", "begins"]);
      expect(readers.has("begins")).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});
