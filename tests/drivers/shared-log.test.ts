import { afterAll, describe, expect, test } from "vitest";
import { noBus } from "../../lib/drivers/bus/no-bus.ts";
import { sharedLog } from "../../lib/drivers/log/shared.ts";
import { follow } from "../../lib/engine/follow.ts";
import type { Bus } from "../../lib/engine/ports/bus.ts";
import type { EventLog } from "../../lib/engine/ports/ports.ts";
import { END } from "../../lib/protocol/stream.ts";
import { memoryBus } from "../support/memory-bus.ts";
import { type Writer, writersOnPostgres } from "../support/writers.ts";
import { eventLogSuite } from "./log.suite.ts";
import { begin, newRun, onThread } from "./runs.suite.ts";

const servers = await writersOnPostgres();
afterAll(() => servers.close());

const logOf = ({ runs }: Writer, executor: string, bus: Bus): EventLog =>
  sharedLog(runs, { now: Date.now, executor: () => executor, bus, topic: "log", pollMs: 10 });

const BUSES = [
  { how: "with a bus", busOf: () => memoryBus().bus },
  { how: "without a bus", busOf: () => noBus },
];

/** Returns a log that is written on one server and followed on another. */
function across(writer: EventLog, reader: EventLog): EventLog {
  const { expectReader, isLive, newest, read, changed, hold, watch, onThreadChange } = reader;
  return {
    ...writer,
    expectReader,
    isLive,
    newest,
    read,
    changed,
    hold,
    watch,
    onThreadChange,
    close() {
      writer.close();
      reader.close();
    },
  };
}

describe.skipIf(!servers.isFound).each(BUSES)("on PostgreSQL $how", ({ how, busOf }) => {
  const close = (): Promise<void> => Promise.resolve();
  eventLogSuite(
    `a server that shares its database ${how}`,
    async () => {
      const { a } = await servers.openWriters("a");
      return { runs: a.runs, log: logOf(a, "a", busOf()), close };
    },
    { kinds: ["stored"], polls: true },
  );
  eventLogSuite(
    `another server of the same database ${how}`,
    async () => {
      const { a, b } = await servers.openWriters("a", "b");
      const bus = busOf();
      return { runs: a.runs, log: across(logOf(a, "a", bus), logOf(b, "b", bus)), close };
    },
    { kinds: ["stored"], polls: true },
  );

  const stored = () => {
    const run = newRun();
    return { ...run, threaded: true, kwargs: { ...run.kwargs, resumable: true } };
  };
  const end = { event: END, data: "{}" };

  async function twoLogs() {
    const { a, b } = await servers.openWriters("a", "b");
    const bus = busOf();
    return { a: { ...a, log: logOf(a, "a", bus) }, b: { ...b, log: logOf(b, "b", bus) } };
  }

  test("followers of a run that goes on with another server read all of it, wherever they are", async () => {
    const { a, b } = await twoLogs();
    const run = stored();
    await a.runs.enqueue(...onThread(run));
    const [first] = await a.log.claim(1, begin);
    if (!first) throw new Error("nothing to claim");
    const following = [a, b].map(async (server) => {
      const ids: number[] = [];
      for await (const batch of follow(server, run.run_id, -1)) ids.push(...batch.map(({ id }) => id));
      return ids;
    });
    await a.log.append(run.run_id, first.token, [{ event: "custom", data: "1" }]);
    expect(await a.log.requeue(first, "stopped")).toBe(true);
    const [second] = await b.log.claim(1, begin);
    expect(second).toMatchObject({ run_id: run.run_id, token: 2, executor: "b" });
    expect(await a.log.append(run.run_id, first.token, [{ event: "custom", data: "late" }])).toBe(false);
    expect(await a.log.finish(first, { status: "success" }, [end])).toBeUndefined();
    if (second) await b.log.finish(second, { status: "success" }, [end]);
    expect(await Promise.all(following)).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
  });

  test("a claim that is taken over while its executor does not know makes that forget the run", async () => {
    const { a, b } = await twoLogs();
    const run = stored();
    await a.runs.enqueue(...onThread(run));
    const [first] = await a.log.claim(1, begin);
    if (!first) throw new Error("nothing to claim");
    await b.log.requeue(first, "crashed");
    expect(await a.log.append(run.run_id, first.token, [{ event: "custom", data: "late" }])).toBe(false);
    expect(await a.log.isLive(run.run_id)).toBe(true);
    expect(a.log.newest(run.run_id)).toBeUndefined();
    const [again] = await a.log.claim(1, begin);
    expect(again).toMatchObject({ token: 2, crashes: 1 });
    if (again) expect(await a.log.append(run.run_id, again.token, [])).toBe(true);
  });

  test("listeners for threads notice what other servers begin and end", async () => {
    const { a, b } = await twoLogs();
    let notified = 0;
    const stop = a.log.onThreadChange(() => notified++);
    const watch = a.log.watch("any");
    await watch.begun();
    const run = stored();
    await b.runs.enqueue(...onThread(run));
    const [claimed] = await b.log.claim(1, begin);
    await expect.poll(() => notified).toBeGreaterThan(0);
    const before = notified;
    if (claimed) await b.log.finish(claimed, { status: "success" }, [end]);
    await expect.poll(() => notified).toBeGreaterThan(before);
    stop();
    watch.close();
    for (const { log } of [a, b]) log.close();
  });
});
