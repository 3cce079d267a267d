"use client";

import { useState } from "react";
import { errorMessage } from "#lib/rules/text/error-message.ts";

/**
 * Tells which of its named actions is going on, and why the last one failed. `onEnd` is called after each, however it
 * ended.
 */
export function useAct<Name extends string>(onEnd?: () => void) {
  const [busy, setBusy] = useState<Name>();
  const [failure, setFailure] = useState<string>();
  const act = (name: Name, request: Promise<unknown>): void => {
    setBusy(name);
    setFailure(undefined);
    request
      .catch((error: unknown) => setFailure(errorMessage(error)))
      .finally(() => {
        setBusy(undefined);
        onEnd?.();
      });
  };
  return { busy, failure, act };
}
