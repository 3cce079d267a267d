import { useCallback, useMemo, useState } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { notify } from "../_ui/toast.ts";
import type { CronActs } from "./cron-acts.ts";

/** The actions on single crons, one at a time for each, and why the last one failed. */
export function useCronActs(api: RoomApi, onOpen: CronActs["onOpen"], onChange: () => void) {
  const [busy, setBusy] = useState<ReadonlySet<string>>(() => new Set());
  const [failure, setFailure] = useState<string>();
  const act = useCallback<CronActs["act"]>(
    (id, request, done) => {
      if (busy.has(id)) return;
      setFailure(undefined);
      setBusy((before) => new Set(before).add(id));
      request()
        .then(
          () => notify({ title: done }),
          (error: unknown) => setFailure(errorMessage(error)),
        )
        .finally(() => {
          setBusy((before) => new Set([...before].filter((one) => one !== id)));
          onChange();
        });
    },
    [busy, onChange],
  );
  const acts = useMemo<CronActs>(() => ({ api, busy, act, onOpen }), [api, busy, act, onOpen]);
  return { acts, failure };
}
