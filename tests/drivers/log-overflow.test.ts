import { expect, test } from "vitest";
import { localLog } from "../../lib/drivers/log/local.ts";
import { follow } from "../../lib/engine/follow.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import { END } from "../../lib/protocol/stream.ts";
import { serveForTest } from "../engine/served.ts";
import { begin, newRun, running } from "./runs.suite.ts";

const APPENDS = 20;
/** More than half of the characters that the log keeps of a run in memory. */
const LARGE = JSON.stringify("x".repeat(200_000));

test("an event just after older ones were stored does not store them again", async () => {
  const { deployment, runEvents, close } = await serveForTest();
  const appended: Promise<boolean>[] = [];
  const append = (): void => {
    if (appended.length < APPENDS) appended.push(log.append(id, 1, [{ event: "custom", data: LARGE }]));
  };
  const runs: RunEventStore = {
    ...runEvents,
    store(...events) {
      const stored = runEvents.store(...events);
      // The log continues some microtasks later: an event may come between any two of them.
      let moment = stored;
      for (let n = 0; n < 6; n++) {
        moment = moment.then(() => undefined);
        void moment.then(append);
      }
      return stored;
    },
  };
  const log = localLog(runs, Date.now);
  const fresh = newRun();
  const run = { ...fresh, kwargs: { ...fresh.kwargs, resumable: false } };
  const id = run.run_id;
  await deployment.runs.insert(run);
  log.open(run, -1);
  await log.claim(1, begin);
  for (let n = 0; n < 3; n++) append();
  for (let n = 0; n < APPENDS; n++) expect(await appended[n]).toBe(true);
  await log.finish(running(id), { status: "success" }, [{ event: END, data: '{"status":"success"}' }]);
  const ids: number[] = [];
  for await (const events of follow({ log }, id, -1)) ids.push(...events.map((event) => event.id));
  expect(ids).toEqual(Array.from({ length: APPENDS + 2 }, (_, n) => n));
  await close();
});
