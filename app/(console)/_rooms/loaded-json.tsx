"use client";

import { useCallback, useEffect } from "react";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";
import { JsonBox } from "./json-box.tsx";
import { useReconnected } from "./use-reconnected.ts";

interface Loaded {
  readonly value: unknown;
}

/** Loads a value when it is first shown, and shows it as a tree. `read` must not change unless the value does. */
export function LoadedJson({
  read,
  label,
  empty,
}: {
  read: () => Promise<unknown>;
  label: string;
  /** Shown for a value that is missing or null. */
  empty: string;
}) {
  const load = useCallback(async (): Promise<Loaded> => ({ value: await read() }), [read]);
  const { value: loaded, failure, refresh } = useRead<Loaded | undefined>(load, undefined);
  useEffect(() => void refresh(), [refresh]);
  useReconnected(() => {
    if (failure !== undefined) void refresh();
  });
  if (failure !== undefined) {
    return (
      <LoadFailure what={label} onRetry={() => void refresh()}>
        {failure}
      </LoadFailure>
    );
  }
  if (!loaded) return <Loading what={label.toLowerCase()} className="h-40" />;
  if (loaded.value === undefined || loaded.value === null) return <p className="text-ink-2">{empty}</p>;
  return <JsonBox value={loaded.value} label={label} />;
}
