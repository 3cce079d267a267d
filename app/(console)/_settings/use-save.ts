"use client";

import { useState } from "react";
import { failureMessage } from "#lib/client/control.ts";
import { useRefreshPage } from "../_shell/use-refresh-page.ts";

export type SaveResult = { ok: boolean; message: string } | undefined;

/** Saves a change, returns the result as a message, and refreshes the page with the stored values. */
export function useSave() {
  const refresh = useRefreshPage();
  const [saving, setSaving] = useState(false);
  const [saved, setSaved] = useState<SaveResult>();
  const save = (request: () => Promise<unknown>, message: string, after?: () => void): void => {
    setSaving(true);
    setSaved(undefined);
    void request()
      .then(() => {
        setSaved({ ok: true, message });
        after?.();
        refresh();
      })
      .catch((thrown: unknown) => setSaved({ ok: false, message: failureMessage(thrown) ?? "" }))
      .finally(() => setSaving(false));
  };
  return { save, saving, saved };
}
