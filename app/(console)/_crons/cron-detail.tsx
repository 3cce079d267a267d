"use client";

import { Suspense } from "react";
import type { Cron } from "#lib/protocol/crons.ts";
import { JsonBox } from "../_rooms/json-box.tsx";
import { Button } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { type CronActs, runNow, toggle } from "./cron-acts.ts";
import { LastRuns } from "./last-runs.tsx";

const NextTimes = lazyPart(() => import("./next-times.tsx"));

export function CronDetail({
  deployment,
  cron,
  runs,
  ...acts
}: CronActs & { deployment: string; cron: Cron; runs: number }) {
  // A button that is disabled for real would lose the focus.
  const isBusy = acts.busy.has(cron.cron_id);
  const heading = "mb-1 text-small font-medium text-ink-2";
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button aria-disabled={isBusy} onClick={({ detail }) => runNow(acts, cron, detail)}>
          Run now
        </Button>
        <Button aria-disabled={isBusy} onClick={() => toggle(acts, cron)}>
          {cron.enabled ? "Pause" : "Resume"}
        </Button>
        <Button onClick={() => acts.onOpen({ dialog: "edit", cron })}>Edit…</Button>
        <Button variant="danger" onClick={() => acts.onOpen({ dialog: "delete", cron })}>
          Delete…
        </Button>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <section>
          <h2 className={heading}>{cron.enabled ? "Next times" : "Next times, if it is resumed"}</h2>
          <Suspense fallback={<p className="text-ink-2">{cron.next_run_date}</p>}>
            <NextTimes schedule={cron.schedule} timezone={cron.timezone ?? "UTC"} />
          </Suspense>
        </section>
        <section>
          <h2 className={heading}>Last results</h2>
          <LastRuns api={acts.api} cron={cron} version={runs} deployment={deployment} />
        </section>
      </div>
      <section>
        <h2 className={heading}>What its runs get</h2>
        <JsonBox value={cron.payload} label="Payload" />
      </section>
    </div>
  );
}
