"use client";

import { RotateCw } from "lucide-react";
import { control } from "#lib/client/control.ts";
import { Button } from "../_ui/button.tsx";
import { useCreateRevision } from "./use-create-revision.ts";

/** Deploys the current state of the source, and opens the new revision. */
export function Redeploy({ deployment, variant = "primary" }: { deployment: string; variant?: "primary" | "outline" }) {
  const { create, creating, error } = useCreateRevision(deployment);
  return (
    <>
      {error === undefined ? null : (
        <span role="alert" className="max-w-80 truncate text-small text-bad" title={error}>
          {error}
        </span>
      )}
      <Button variant={variant} disabled={creating} onClick={() => create(() => control.redeploy(deployment))}>
        <RotateCw /> <span className={variant === "outline" ? "max-sm:sr-only" : undefined}>Redeploy</span>
      </Button>
    </>
  );
}
