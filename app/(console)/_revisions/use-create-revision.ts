"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { failureMessage } from "#lib/client/control.ts";
import { RequestFailure } from "#lib/client/refusal.ts";
import type { Revision } from "#lib/protocol/revisions.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";

/** Creates a revision and opens it. `error`: the message if that failed. `isConflict`: it may work with force. */
export function useCreateRevision(deployment: string) {
  const router = useRouter();
  const [creating, setCreating] = useState(false);
  const [thrown, setThrown] = useState<unknown>();
  const create = (request: () => Promise<Revision>): void => {
    setCreating(true);
    setThrown(undefined);
    void request()
      .then(({ number }) => router.push(`${deploymentPath(deployment)}/revisions/${number}`))
      .catch((failure: unknown) => setThrown(failure))
      .finally(() => setCreating(false));
  };
  return {
    create,
    creating,
    error: thrown === undefined ? undefined : failureMessage(thrown),
    isConflict: thrown instanceof RequestFailure && thrown.status === 409,
  };
}
