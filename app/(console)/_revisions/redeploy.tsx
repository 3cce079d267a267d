"use client";

import { RotateCw } from "lucide-react";
import { control } from "@/lib/client/control.ts";
import { Button } from "../_ui/button.tsx";
import { useRevision } from "./use-revision.ts";

/** Deploys the source as it is now, and goes to the revision that is made. */
export function Redeploy({ deployment }: { deployment: string }) {
  const { make, making, refused } = useRevision(deployment);
  return (
    <>
      {refused === undefined ? null : (
        <span role="alert" className="max-w-80 truncate text-small text-bad" title={refused}>
          {refused}
        </span>
      )}
      <Button look="primary" disabled={making} onClick={() => make(() => control.redeploy(deployment))}>
        <RotateCw /> Deploy again
      </Button>
    </>
  );
}
