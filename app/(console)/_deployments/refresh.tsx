"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Figures that tell nobody when they change are read again, while the page can be seen. */
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
