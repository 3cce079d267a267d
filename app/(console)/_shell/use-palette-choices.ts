"use client";

import { useParams, useSearchParams } from "next/navigation";
import { useMemo, useState, useSyncExternalStore } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { listAssistants } from "#lib/client/palette.ts";
import { onRecentThreads, recentThreads } from "#lib/client/recent-threads.ts";
import type { RecentThread } from "#lib/rules/threads/recent.ts";
import { useLive } from "./live.tsx";
import {
  assistantChoices,
  consoleChoices,
  deploymentChoices,
  otherChoices,
  type PaletteChoice,
  recentChoices,
} from "./palette-choices.ts";
import { type ChoiceGroup, groupChoices } from "./palette-groups.ts";
import { usedChoices } from "./used-choices.ts";
import { useLoaded } from "./use-loaded.ts";
import { useThreadsFound } from "./use-threads-found.ts";

/** A line about results that are still loading, or could not be loaded. */
export interface ResultsNote {
  readonly id: string;
  readonly text: string;
  readonly retry?: () => void;
}

/** The recent threads that are listed before anything is typed. */
const MOST_RECENT = 5;
const NO_THREADS: readonly RecentThread[] = [];
const loadAssistants = (deployment: string) => listAssistants(apiBase(deployment));

/** Returns what the palette shows. `entered`: the deployment whose choices are shown alone. */
export function useChoices({ query, entered, keyed }: { query: string; entered: string | undefined; keyed: boolean }): {
  groups: readonly ChoiceGroup[];
  notes: readonly ResultsNote[];
} {
  const [now] = useState(() => Date.now());
  const [used] = useState(usedChoices);
  const { deployments } = useLive();
  const current = useCurrent();
  const scope = entered ?? current;
  const recent = useSyncExternalStore(
    onRecentThreads,
    () => (scope === undefined ? NO_THREADS : recentThreads(scope)),
    () => NO_THREADS,
  );
  // The thread of this page needs no way to it.
  const shown = useShownThread();
  const isEmpty = query.trim() === "";
  const assistants = useLoaded(scope, loadAssistants);
  const threads = useThreadsFound(scope, query, now);

  const choices = useMemo(() => {
    const own = scope === undefined ? [] : deploymentChoices(scope, scope === current);
    const all: PaletteChoice[] = [
      ...(scope === undefined
        ? []
        : recentChoices(scope, recent.filter((one) => one.id !== shown).slice(0, isEmpty ? MOST_RECENT : undefined))),
      ...own,
      ...(entered === undefined ? otherChoices(deployments, current) : []),
      ...(scope === undefined ? [] : assistantChoices(scope, assistants.value ?? [])),
      ...(entered === undefined ? consoleChoices(keyed) : []),
    ];
    const isAction = (one: PaletteChoice): boolean => one.group === "Actions";
    return [...all.filter((one) => !isAction(one)), ...all.filter(isAction)];
  }, [scope, entered, current, recent, deployments, assistants.value, keyed, shown, isEmpty]);

  const groups = groupChoices(query, choices, used);
  const listed = new Set(groups.flatMap((group) => group.choices.map((one) => one.id)));
  const found = threads.choices.filter((one) => !listed.has(one.id));
  const notes: ResultsNote[] = [];
  if (threads.status === "loading") notes.push({ id: "note threads", text: "Searching threads…" });
  if (threads.failure !== undefined)
    notes.push({ id: "note threads", text: `Threads could not be searched. ${threads.failure}`, retry: threads.retry });
  if (assistants.failure !== undefined)
    notes.push({
      id: "note graphs",
      text: `Graphs could not be listed. ${assistants.failure}`,
      retry: assistants.retry,
    });
  // Threads come last, because they arrive last: nothing above them moves.
  return { groups: found.length === 0 ? groups : [...groups, { title: "Threads", choices: found }], notes };
}

/** Returns the id of the thread that this page shows. */
function useShownThread(): string | undefined {
  const { thread_id } = useParams<{ thread_id?: string }>();
  return useSearchParams().get("thread") ?? thread_id;
}

/** Returns the deployment of this page, or the only one. */
function useCurrent(): string | undefined {
  const { deployment } = useParams<{ deployment?: string }>();
  const { deployments } = useLive();
  const name = deployment === undefined ? undefined : decodeURIComponent(deployment);
  if (deployments.some((one) => one.name === name)) return name;
  return deployments.length === 1 ? deployments[0]?.name : undefined;
}
