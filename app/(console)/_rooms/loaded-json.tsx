"use client";

import { type ReactNode, useCallback, useEffect } from "react";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";
import { JsonBox } from "./json-box.tsx";

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
  return (
    <LoadedValue read={read} label={label}>
      {(value) =>
        value === undefined || value === null ? (
          <p className="text-ink-2">{empty}</p>
        ) : (
          <JsonBox value={value} label={label} />
        )
      }
    </LoadedValue>
  );
}

/** Loads a value when it is first shown. */
export function LoadedValue<T>({
  read,
  label,
  children,
}: {
  read: () => Promise<T>;
  label: string;
  children: (value: T) => ReactNode;
}) {
  const load = useCallback(async () => ({ value: await read() }), [read]);
  const { value: loaded, failure, refresh } = useRead<{ readonly value: T } | undefined>(load, undefined);
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
  return loaded ? children(loaded.value) : <Loading what={label.toLowerCase()} className="h-40" />;
}
