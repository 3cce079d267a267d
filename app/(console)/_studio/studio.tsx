"use client";

import { type ComponentProps, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { exampleInput } from "#lib/client/example-input.ts";
import type { RunOptions, RunStart } from "#lib/client/studio/request.ts";
import { createStudio, type Studio as StudioClient } from "#lib/client/studio/studio.ts";
import type { StudioState } from "#lib/client/studio/studio-state.ts";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { useFollow } from "../_shell/live.tsx";
import { TopBar } from "../_shell/top-bar.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Loading } from "../_ui/skeleton.tsx";
import { useMounted } from "../_ui/use-mounted.ts";
import type { CanvasHandle } from "./canvas/canvas-props.ts";
import { GraphStage } from "./graph-stage.tsx";
import { Panel } from "./panel.tsx";
import { type ComposerHandle, StudioProvider, type StudioContextValue, type StudioDrafts } from "./studio-context.ts";
import { TopActions } from "./top-actions.tsx";
import { useGraphInfo } from "./use-graph-info.ts";
import { useRemembered } from "./use-remembered.ts";
import { useRunSettings } from "./use-run-settings.ts";
import { type StudioQuery, useStudioQuery } from "./use-studio-query.ts";

type StudioProps = Pick<
  StudioContextValue,
  "deployment" | "isSample" | "graph" | "graphs" | "assistants" | "api" | "keyed" | "caller"
>;

/** The studio of one graph: its canvas, and a panel with the run, the state and the input. */
export function Studio(props: StudioProps) {
  // The content depends on the browser: on sizes, stored settings, and a thread that only the API knows.
  const isMounted = useMounted();
  return isMounted ? <LiveStudio {...props} /> : <StudioSkeleton {...props} />;
}

const STAGE = "relative min-h-0 min-w-0 flex-1 bg-surface max-lg:h-[44%] max-lg:flex-none";
const MAIN = "flex h-[calc(100dvh-3.25rem)] min-h-0 outline-none max-lg:flex-col";

function StudioSkeleton({ deployment, graph }: StudioProps) {
  return (
    <>
      <TopBar crumbs={crumbsOf(deployment, graph)} />
      <main id="main" tabIndex={-1} className={MAIN}>
        <h1 className="sr-only">Studio of {graph}</h1>
        <div className={STAGE}>
          <Loading what="the studio" />
        </div>
        <div className="border-line max-lg:flex-1 max-lg:border-t lg:w-104 lg:border-l" />
      </main>
    </>
  );
}

function LiveStudio(props: StudioProps) {
  const { deployment, graph, assistants } = props;
  const base = apiBase(deployment);
  const query = useStudioQuery();
  const { studio, state } = useStudioThread(deployment, query);
  useRemembered(deployment, graph, state);
  const info = useGraphInfo(studio.api, graph);
  const settings = useRunSettings(deployment, graph);
  const assistant = chosenAssistant(assistants, query.query.assistant, state, graph);
  const options: RunOptions = useMemo(() => ({ ...settings, assistant }), [settings, assistant]);
  const example = useMemo(() => exampleInput(info.schemas?.input_schema, ""), [info.schemas]);
  const [typed, setInput] = useState<{ value: unknown }>();
  const [unreadInput, setUnreadInput] = useState<string>();
  const [drafts, setDrafts] = useState<StudioDrafts>({});
  const input = typed ? typed.value : example;
  const { checkpoint } = query.query;
  const { setQuery } = query;
  const start = useCallback(
    (begin: RunStart) => {
      const isGone = studio.state().thread === "gone";
      // A run that is started where no thread is begins a new one.
      if (isGone) void studio.open(undefined);
      const run = studio.start(begin, options, isGone ? undefined : (checkpoint ?? undefined));
      // The run goes on from the shown checkpoint, so its end becomes the newest, which is shown from now on.
      void setQuery({ checkpoint: null, compare: null, tab: "run" });
      return run;
    },
    [studio, options, checkpoint, setQuery],
  );
  const value: StudioContextValue = {
    ...props,
    ...query,
    base,
    studio,
    state,
    info,
    settings,
    options,
    input,
    setInput: useCallback((next: unknown) => {
      setInput({ value: next });
      setUnreadInput(undefined);
    }, []),
    unreadInput,
    setUnreadInput,
    drafts,
    keepDrafts: useCallback((form, next) => setDrafts((before) => ({ ...before, [form]: next })), []),
    canvas: useRef<CanvasHandle>(null),
    composer: useRef<ComposerHandle>(null),
    start,
  };
  return (
    <StudioProvider value={value}>
      <TopBar crumbs={crumbsOf(deployment, graph)}>
        <TopActions />
      </TopBar>
      <main id="main" tabIndex={-1} className={MAIN}>
        <h1 className="sr-only">Studio of {graph}</h1>
        <section aria-label="Graph" className={STAGE}>
          <GraphStage />
        </section>
        <section
          aria-label="Details"
          className="flex min-h-0 flex-col border-line bg-background max-lg:flex-1 max-lg:border-t lg:w-104 lg:shrink-0 lg:border-l"
        >
          <Panel />
        </section>
      </main>
    </StudioProvider>
  );
}

function crumbsOf(deployment: string, graph: string): ComponentProps<typeof TopBar>["crumbs"] {
  const href = deploymentPath(deployment);
  return [{ label: deployment, href }, { label: "Studio", href: `${href}/studio` }, { label: graph }];
}

/** Opens the thread that the URL names, and the next one when the URL changes. */
function useStudioThread(
  deployment: string,
  { query, setQuery }: StudioQuery,
): { studio: StudioClient; state: StudioState } {
  const [studio] = useState(() =>
    createStudio({ base: apiBase(deployment), onThread: (thread) => void setQuery({ thread, checkpoint: null }) }),
  );
  const state = useSyncExternalStore(studio.subscribe, studio.state, studio.state);
  const { thread } = query;
  useFollow({ deployment, threads: true }, { onThreads: () => void studio.lookAgain() });
  useReconnected(() => void studio.lookAgain());
  useEffect(() => studio.close, [studio]);
  useEffect(() => {
    // A thread that this page has just created is open already.
    if ((thread ?? undefined) !== studio.state().threadId) void studio.open(thread ?? undefined);
  }, [studio, thread]);
  return { studio, state };
}

/** Returns the id of the assistant that runs: the one in the URL, else the thread's, else the graph's own. */
function chosenAssistant(
  assistants: StudioProps["assistants"],
  requested: string | null,
  { details }: StudioState,
  graph: string,
): string {
  const find = (id: unknown) => assistants.find((one) => one.id === id || one.assistantId === id)?.id;
  return find(requested) ?? find(details?.metadata.assistant_id) ?? assistants[0]?.id ?? graph;
}
