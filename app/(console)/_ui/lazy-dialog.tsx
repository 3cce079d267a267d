"use client";

import { Suspense, useState } from "react";
import type { DialogProps } from "./dialog.tsx";
import { lazyDialog } from "./lazy-part.ts";

const Loaded = lazyDialog(() => import("./dialog.tsx").then(({ Dialog }) => ({ default: Dialog })));

/** A `Dialog` whose code loads when it first opens. */
export function LazyDialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
