"use client";

import { Suspense, useMemo, useState } from "react";
import { isLargerThan } from "#lib/rules/forms/json-draft.ts";
import { cutForReading } from "#lib/rules/forms/json-reading.ts";
import { Button } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Skeleton } from "../_ui/skeleton.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";

const JsonTree = lazyPart(() => import("./json-tree.tsx"));

/** Larger values, in characters of JSON, are rendered on request. */
const LARGEST = 200_000;
/** Values up to this size are unfolded at first. */
const SMALL = 1500;

/** Shows a JSON value as a tree to read: folded beyond a size, with long texts cut, and with a button that copies it. */
export function JsonView({
  label,
  value,
  isWanted = false,
}: {
  /** The accessible name. */
  label: string;
  value: unknown;
  /** A large value is shown at once. */
  isWanted?: boolean;
}) {
  const [isAsked, setAsked] = useState(isWanted);
  const [isWhole, setWhole] = useState(false);
  const isLarge = useMemo(() => isLargerThan(value, LARGEST), [value]);
  const isSmall = useMemo(() => !isLargerThan(value, SMALL), [value]);
  const isShown = isAsked || !isLarge;
  const { shown, cut } = useMemo(
    () => (isShown ? cutForReading(value, isWhole) : { shown: null, cut: 0 }),
    [value, isShown, isWhole],
  );
  return (
    <div className="group relative min-w-0">
      <div className="absolute top-0 right-0 z-1 flex items-center gap-1">
        <CopyButton variant="icon" text={() => JSON.stringify(value, null, 2) ?? ""} label={`Copy ${label}`} />
      </div>
      {isShown ? (
        <Suspense fallback={<Skeleton className="mr-8 h-16" />}>
          <JsonTree label={label} value={shown} isOpen={isSmall} />
        </Suspense>
      ) : (
        <div className="flex min-h-9 flex-wrap items-center gap-3 pr-8">
          <span className="text-small text-ink-2">This value is large.</span>
          <Button onClick={() => setAsked(true)}>Show it</Button>
        </div>
      )}
      {cut > 0 || isWhole ? (
        <Button variant="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Cut long texts" : `Show all (${cut} long ${cut === 1 ? "text is" : "texts are"} cut)`}
        </Button>
      ) : null}
    </div>
  );
}
