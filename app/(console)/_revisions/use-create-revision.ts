"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { failureMessage } from "@/lib/client/control.ts";
import type { Revision } from "@/lib/protocol/revisions.ts";

/** Creates a revision and opens it. `error`: the message if that failed. */
export function useCreateRevision(deployment: string) {
  const router = useRouter();
  const [creating, setCreating] = useState(false);
  const [error, setError] = useState<string>();
  const create = (request: () => Promise<Revision>): void => {
    setCreating(true);
    setError(undefined);
    void request()
      .then(({ number }) => router.push(`/deployments/${encodeURIComponent(deployment)}/revisions/${number}`))
      .catch((thrown: unknown) => setError(failureMessage(thrown)))
      .finally(() => setCreating(false));
  };
  return { create, creating, error };
}
