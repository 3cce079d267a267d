"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { control, failureMessage } from "@/lib/client/control.ts";
import type { Revision } from "@/lib/protocol/revisions.ts";
import { Button } from "../_ui/button.tsx";
import { LazyDialog } from "../_ui/lazy-dialog.tsx";
import { RequestFailure } from "@/lib/client/refusal.ts";

/** Asks for confirmation, explains the effects, and opens the new revision. */
export function RollBack({
  deployment,
  revision: { number, commit, source },
  deploysPushes,
}: {
  deployment: string;
  revision: Revision;
  /** Whether a push to the repository deploys it now. */
  deploysPushes: boolean;
}) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{ message: string | undefined; conflict: boolean }>();
  const rollBack = (force: boolean): void => {
    setBusy(true);
    setRefused(undefined);
    void control
      .rollBack(deployment, number, force)
      .then((made) => router.push(`/deployments/${encodeURIComponent(deployment)}/revisions/${made.number}`))
      .catch((thrown: unknown) =>
        setRefused({
          message: failureMessage(thrown),
          conflict: thrown instanceof RequestFailure && thrown.status === 409,
        }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button aria-label={`Roll back to revision ${number}`} onClick={() => setOpen(true)}>
        <Undo2 /> Roll back
      </Button>
      <LazyDialog open={open} onOpenChange={setOpen} title={`Roll back to revision ${number}?`}>
        <p className="text-ink-2">
          Its build{commit ? <> of “{commit.message}”</> : null} goes live again in about a second, without a new build.
          Threads are kept. The current environment variables are used.
        </p>
        {deploysPushes && source.type === "git" ? (
          <p className="mt-3">
            Pushes are paused: they deploy nothing until “Deploy every push” is turned on again in the settings.
          </p>
        ) : null}
        {refused ? <p className="mt-3 text-bad">{refused.message}</p> : null}
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          {refused?.conflict ? (
            <Button variant="danger" disabled={isBusy} onClick={() => rollBack(true)}>
              Roll back anyway
            </Button>
          ) : (
            <Button variant="primary" disabled={isBusy} onClick={() => rollBack(false)}>
              Roll back
            </Button>
          )}
        </div>
      </LazyDialog>
    </>
  );
}
