"use client";

import { useRouter } from "next/navigation";
import { createContext, useContext, useEffect, useReducer, useRef, useTransition } from "react";

/** Set by the shell, which is around every page but that of the sign-in. */
export const RefreshContext = createContext<() => void>(() => undefined);

/** Returns a function that renders the page anew on the server, and keeps the state of its components. */
export function useRefreshPage(): () => void {
  return useContext(RefreshContext);
}

/**
 * Refreshes one at a time; any number that are asked for meanwhile become one. When two overlap, Next loads the page
 * from the beginning, and what was typed is lost.
 */
export function useRefreshInTurn(): () => void {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [asked, ask] = useReducer((count: number) => count + 1, 0);
  const begun = useRef(0);
  useEffect(() => {
    if (isPending || begun.current === asked) return;
    begun.current = asked;
    startTransition(() => router.refresh());
  }, [asked, isPending, router]);
  return ask;
}
