"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { control } from "#lib/client/control.ts";
import type { Revision } from "#lib/protocol/revisions.ts";
import { Button } from "../_ui/button.tsx";
import { LazyDialog } from "../_ui/lazy-dialog.tsx";
import { useCreateRevision } from "./use-create-revision.ts";

/** Asks for confirmation, explains the effects, and opens the new revision. */
export function RollBack({
  deployment,
  revision: { number, commit, source },
  deploysPushes,
}: {
  deployment: string;
  revision: Revision;
  /** True if a push to the repository deploys it now. */
  deploysPushes: boolean;
}) {
  const [open, setOpen] = useState(false);
  const { create, creating, error, isConflict } = useCreateRevision(deployment);
  const rollBack = (force: boolean): void => create(() => control.rollBack(deployment, number, force));
  return (
    <>
      <Button aria-label={`Roll back to revision ${number}`} onClick={() => setOpen(true)}>
        <Undo2 /> Roll back
      </Button>
      <LazyDialog open={open} onClose={() => setOpen(false)} title={`Roll back to revision ${number}?`}>
        <p className="text-ink-2">
          Its build{commit ? <> of “{commit.message}”</> : null} goes live again in about a second, without a new build.
          Threads are kept. The current environment variables are used.
        </p>
        {deploysPushes && source.type === "git" ? (
          <p className="mt-3">
            Pushes are paused: they deploy nothing until “Deploy every push” is turned on again in the settings.
          </p>
        ) : null}
        {error === undefined ? null : <p className="mt-3 text-bad">{error}</p>}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          {isConflict ? (
            <Button variant="danger" disabled={creating} onClick={() => rollBack(true)}>
              Roll back anyway
            </Button>
          ) : (
            <Button variant="primary" disabled={creating} onClick={() => rollBack(false)}>
              Roll back
            </Button>
          )}
        </div>
      </LazyDialog>
    </>
  );
}
