import { expect, test } from "vitest";
import { localLog } from "../../lib/drivers/log/local.ts";
import { follow } from "../../lib/engine/follow.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import { END } from "../../lib/protocol/stream.ts";
import { serveForTest } from "../engine/served.ts";
import { begin, newRun, running } from "./runs.suite.ts";

const event = (said: string) => ({ event: "custom", data: JSON.stringify(said) });

test("followers get the ids that are stored, also of events whose commit was not answered", async () => {
  const { deployment, runEvents, close } = await serveForTest();
  let isLost = false;
  const runs: RunEventStore = {
    ...runEvents,
    async append(...events) {
      const first = await runEvents.append(...events);
      if (isLost) throw new Error("the connection broke before the answer");
      return first;
    },
  };
  const published: [first: number, count: number][] = [];
  const log = localLog(runs, Date.now, {
    published: (_run, first, events) => void published.push([first, events.length]),
  });
  const run = newRun();
  const id = run.run_id;
  await deployment.runs.insert(run);
  log.open(run, -1);
  await log.claim(1, begin);
  const followed: { id: number; data: string }[] = [];
  const following = (async () => {
    for await (const events of follow({ log }, id, -1)) for (const one of events) followed.push(one);
  })();
  await log.append(id, 1, [event("one")]);
  isLost = true;
  await expect(log.append(id, 1, [event("two"), event("three")])).rejects.toThrow("before the answer");
  isLost = false;
  await log.append(id, 1, [event("four")]);
  isLost = true;
  await expect(log.append(id, 1, [event("five")])).rejects.toThrow("before the answer");
  await log.finish(running(id), { status: "error" }, [event("six"), { event: END, data: '{"status":"error"}' }]);
  await following;
  const stored = await runEvents.read(id, -1, 100);
  expect(stored.map((one) => one.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(followed.map(({ id: at, data }) => [at, data])).toEqual(stored.map(({ id: at, data }) => [at, data]));
  expect(published).toEqual([
    [0, 1],
    [1, 1],
    [4, 1],
    [6, 2],
  ]);
  await close();
});
