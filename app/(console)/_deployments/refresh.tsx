"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Refreshes the page at an interval while it is visible, for numbers whose changes send no events. */
export function Refresh({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
