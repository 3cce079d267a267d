"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { failureMessage } from "@/lib/client/control.ts";

export type SaveResult = { ok: boolean; message: string } | undefined;

/** Does one change at a time, says how it went, and has the page rendered anew with what is stored now. */
export function useSave() {
  const router = useRouter();
  const [saving, setSaving] = useState(false);
  const [saved, setSaved] = useState<SaveResult>();
  const save = (request: () => Promise<unknown>, message: string, after?: () => void): void => {
    setSaving(true);
    setSaved(undefined);
    void request()
      .then(() => {
        setSaved({ ok: true, message });
        after?.();
        router.refresh();
      })
      .catch((thrown: unknown) => setSaved({ ok: false, message: failureMessage(thrown) ?? "" }))
      .finally(() => setSaving(false));
  };
  return { save, saving, saved };
}
