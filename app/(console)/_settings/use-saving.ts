"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { failureMessage } from "@/lib/client/control.ts";

export type Saved = { how: "saved"; told: string } | { how: "refused"; told: string } | undefined;

/** Does one change at a time, says how it went, and has the page rendered anew with what is stored now. */
export function useSaving() {
  const router = useRouter();
  const [saving, setSaving] = useState(false);
  const [saved, setSaved] = useState<Saved>();
  const save = (what: () => Promise<unknown>, told: string, after?: () => void): void => {
    setSaving(true);
    setSaved(undefined);
    void what()
      .then(() => {
        setSaved({ how: "saved", told });
        after?.();
        router.refresh();
      })
      .catch((thrown: unknown) => setSaved({ how: "refused", told: failureMessage(thrown) ?? "" }))
      .finally(() => setSaving(false));
  };
  return { save, saving, saved };
}
