"use client";

import { type ReactNode, useCallback, useState } from "react";
import { fileSize } from "#lib/client/measures.ts";
import { Button } from "../_ui/button.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";
import { JsonView } from "./json-view.tsx";

interface OmittedValueProps {
  /** The accessible name. */
  label: string;
  /** The size in characters of JSON. */
  size: number;
  read: () => Promise<unknown>;
  /** Shows the value; by default as a tree. */
  children?: (value: unknown) => ReactNode;
}

/** Stands for a value that was not loaded because it is large. A button loads and shows it. */
export function OmittedValue({ label, size, read, children }: OmittedValueProps) {
  const load = useCallback(async () => ({ value: await read() }), [read]);
  const { value: loaded, failure, refresh } = useRead<{ value: unknown } | undefined>(load, undefined);
  const [isAsked, setAsked] = useState(false);
  const ask = (): void => {
    setAsked(true);
    void refresh();
  };
  if (loaded) return children ? children(loaded.value) : <JsonView label={label} value={loaded.value} isWanted />;
  if (failure !== undefined) {
    return (
      <LoadFailure what={label} onRetry={ask}>
        {failure}
      </LoadFailure>
    );
  }
  if (isAsked) return <Loading what={label} className="h-9" />;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3">
      <span className="text-small text-ink-2">This value is large ({fileSize(size)}).</span>
      <Button onClick={ask}>Show it</Button>
    </div>
  );
}
