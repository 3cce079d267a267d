"use client";

import { useCallback, useDeferredValue, useMemo } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { newestThreads, threadsById } from "#lib/client/palette.ts";
import { rank } from "#lib/rules/text/rank.ts";
import { isUuid } from "#lib/rules/uuid.ts";
import { type PaletteChoice, threadChoices } from "./palette-choices.ts";
import { useLoaded } from "./use-loaded.ts";

const MOST_FOUND = 8;
/** A shorter query would list threads that nobody asked for. */
const SHORTEST_QUERY = 2;

export interface FoundThreads {
  readonly choices: readonly PaletteChoice[];
  readonly status: "idle" | "loading" | "failed" | "done";
  readonly failure?: string;
  readonly retry: () => void;
}

/** Finds threads of a deployment by the words of their titles among the newest, or by id. The API is asked once. */
export function useThreadsFound(deployment: string | undefined, query: string, now: number): FoundThreads {
  const words = useDeferredValue(query.trim());
  const isSearched = deployment !== undefined && words.length >= SHORTEST_QUERY;
  const newest = useLoaded(isSearched ? deployment : undefined, loadNewest);
  const byId = useLoaded(
    isSearched && isUuid(words) ? words.toLowerCase() : undefined,
    useCallback((id: string) => threadsById(apiBase(deployment ?? ""), id), [deployment]),
  );
  const choices = useMemo(() => {
    if (!isSearched) return [];
    const threads = [...(byId.value ?? []), ...(newest.value ?? [])];
    const unique = [...new Map(threads.map((one) => [one.thread_id, one])).values()];
    return rank(words, threadChoices(deployment, unique, words, now)).slice(0, MOST_FOUND);
  }, [isSearched, deployment, words, now, newest.value, byId.value]);
  const failure = newest.failure ?? byId.failure;
  const status = !isSearched ? "idle" : failure !== undefined ? "failed" : newest.value ? "done" : "loading";
  const retry = newest.failure === undefined ? byId.retry : newest.retry;
  return { choices, status, failure, retry };
}

const loadNewest = (deployment: string) => newestThreads(apiBase(deployment));
