"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { failureMessage } from "@/lib/client/control.ts";
import type { Revision } from "@/lib/protocol/revisions.ts";

/** Makes a revision, one at a time, and goes to it; says what was refused. */
export function useRevision(deployment: string) {
  const router = useRouter();
  const [making, setMaking] = useState(false);
  const [refused, setRefused] = useState<string>();
  const make = (what: () => Promise<Revision>): void => {
    setMaking(true);
    setRefused(undefined);
    void what()
      .then(({ number }) => router.push(`/deployments/${encodeURIComponent(deployment)}/revisions/${number}`))
      .catch((thrown: unknown) => setRefused(failureMessage(thrown)))
      .finally(() => setMaking(false));
  };
  return { make, making, refused };
}
