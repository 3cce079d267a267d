"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link to a page of the console. The page is fetched ahead once a pointer or the focus is on the link: fetching all that
 * are in view would delay what the page itself reads. `prefetch={false}` never fetches ahead.
 */
export function PageLink({
  prefetch,
  onPointerEnter,
  onFocus,
  ...props
}: Omit<ComponentProps<typeof Link>, "prefetch"> & { prefetch?: false }) {
  const [isLikely, setLikely] = useState(false);
  return (
    <Link
      {...props}
      prefetch={isLikely ? (prefetch ?? null) : false}
      onPointerEnter={(event) => {
        setLikely(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setLikely(true);
        onFocus?.(event);
      }}
    />
  );
}
