"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { control } from "#lib/client/control.ts";
import type { DeploymentRecord } from "#lib/protocol/control.ts";
import { Button } from "../_ui/button.tsx";
import { LazyDialog } from "../_ui/lazy-dialog.tsx";
import { TextField } from "../_ui/field.tsx";
import { Section } from "./section.tsx";
import { useSave } from "./use-save.ts";

export function DangerZone({
  deployment: { name, status },
  deletable,
}: {
  deployment: DeploymentRecord;
  deletable: boolean;
}) {
  const { save, saving, saved } = useSave();
  const stopped = status === "stopped";
  return (
    <Section id="danger" title="Danger zone" danger>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <div>{stopped ? "Start" : "Stop"}</div>
          <p className="text-small text-ink-3">
            {stopped
              ? "The revision that was live before is started again."
              : "Stops the worker. Requests are refused until it is started again. Threads are kept."}
          </p>
        </div>
        <Button
          disabled={saving}
          onClick={() =>
            stopped ? save(() => control.start(name), "Started.") : save(() => control.stop(name), "Stopped.")
          }
        >
          {stopped ? "Start" : "Stop"}
        </Button>
      </div>
      <output className={saved?.ok === false ? "text-bad" : "text-ok"}>{saved?.message}</output>
      {deletable ? <Delete name={name} /> : null}
    </Section>
  );
}

function Delete({ name }: { name: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const { save, saving, saved } = useSave();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <div>
        <div>Delete</div>
        <p className="text-small text-ink-3">Its threads, builds, logs and secrets are deleted permanently.</p>
      </div>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete…
      </Button>
      <LazyDialog open={open} onClose={() => setOpen(false)} title={`Delete ${name}?`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === name)
              save(
                () => control.remove(name),
                "Deleted.",
                () => router.push("/"),
              );
          }}
        >
          <p className="mb-4 text-ink-2">
            All its threads, runs, builds, logs, variables and credentials are removed. This can&apos;t be undone.
          </p>
          <TextField
            label={`Type ${name} to confirm`}
            mono
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={saved?.ok === false ? saved.message : undefined}
          />
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" variant="danger" disabled={typed !== name || saving}>
              {saving ? "Deleting…" : "Delete permanently"}
            </Button>
          </div>
        </form>
      </LazyDialog>
    </div>
  );
}
