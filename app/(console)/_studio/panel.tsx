"use client";

import { Suspense } from "react";
import { Connection } from "../_chat/connection.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Loading } from "../_ui/skeleton.tsx";
import { Tabs } from "../_ui/tabs.tsx";
import { Composer } from "./composer.tsx";
import { PassedNotice } from "./passed-notice.tsx";
import { Pause } from "./pause.tsx";
import { RunLog } from "./run-log.tsx";
import { useStudio } from "./studio-context.ts";
import type { StudioTab } from "./use-studio-query.ts";

const StateTab = lazyPart(() => import("./state-tab.tsx"));
const InputTab = lazyPart(() => import("./input-tab.tsx"));
const NodeTab = lazyPart(() => import("./node-tab.tsx"));
const RawTab = lazyPart(() => import("./raw-tab.tsx"));

const TITLES: readonly { readonly value: StudioTab; readonly title: string }[] = [
  { value: "run", title: "Run" },
  { value: "state", title: "State" },
  { value: "input", title: "Input" },
  { value: "node", title: "Node" },
  { value: "raw", title: "Raw" },
];

const CLASSES = {
  // The tabs, the header of a run and six rem of its log stay in view beside open questions, if the screen is high enough.
  root: "flex min-h-[min(11rem,40%)] flex-1 flex-col",
  list: "shrink-0 px-2",
  panel: "flex min-h-0 flex-1 flex-col overflow-y-auto -outline-offset-2",
};

/** The tabs beside the canvas, and below them what the run waits for and the field for a message. */
export function Panel() {
  const { query, setQuery, state } = useStudio();
  return (
    <>
      <Tabs label="Details" tabs={TITLES} value={query.tab} onValue={(tab) => void setQuery({ tab })} classes={CLASSES}>
        <Suspense fallback={<Loading what="the tab" className="m-4 h-24" />}>
          <TabContent tab={query.tab} />
        </Suspense>
      </Tabs>
      <div className="px-3 pt-3 empty:hidden">
        <Connection running={state.isRunning} interruption={state.interruption} />
      </div>
      <div className="px-3 pt-3 empty:hidden" aria-live="polite">
        <PassedNotice />
      </div>
      <Pause />
      <Composer />
    </>
  );
}

function TabContent({ tab }: { tab: StudioTab }) {
  switch (tab) {
    case "run":
      return <RunLog />;
    case "state":
      return <StateTab />;
    case "input":
      return <InputTab />;
    case "node":
      return <NodeTab />;
    case "raw":
      return <RawTab />;
  }
}
