"use client";

import { RotateCw } from "lucide-react";
import { control } from "@/lib/client/control.ts";
import { Button } from "../_ui/button.tsx";
import { useRevision } from "./use-revision.ts";

/** Deploys the source as it is now, and goes to the revision that is made. */
export function Redeploy({ deployment, look = "primary" }: { deployment: string; look?: "primary" | "outline" }) {
  const { make, making, refused } = useRevision(deployment);
  return (
    <>
      {refused === undefined ? null : (
        <span role="alert" className="max-w-80 truncate text-small text-bad" title={refused}>
          {refused}
        </span>
      )}
      <Button look={look} disabled={making} onClick={() => make(() => control.redeploy(deployment))}>
        <RotateCw /> <span className={look === "outline" ? "max-sm:sr-only" : undefined}>Deploy again</span>
      </Button>
    </>
  );
}
