"use client";

import { Tabs } from "@base-ui/react/tabs";
import { useSearchParams } from "next/navigation";
import { lazy, type ReactNode, Suspense } from "react";
import { CARD_PATH } from "@/lib/client/a2a.ts";
import type { ChosenAssistant } from "../_chat/assistant.ts";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { useMounted } from "../_ui/use-mounted.ts";
import { CardPanel } from "./card-panel.tsx";
import { replaceQuery } from "./replace-query.ts";
import type { OnNews } from "./use-news.ts";
import { useCard } from "./use-card.ts";

const TryPanel = lazy(() => import("./try-panel.tsx"));
const TasksPanel = lazy(() => import("./tasks-panel.tsx"));

const TABS = [
  { id: "card", title: "Card" },
  { id: "try", title: "Try it" },
  { id: "tasks", title: "Tasks" },
];

interface AgentTabsProps {
  deployment: string;
  assistant: ChosenAssistant;
  /** Where this page's own origin answers for the agent. */
  path: string;
  /** The same as callers elsewhere write it. */
  url: string;
  keyed: boolean;
  onNews: OnNews;
  now: number;
}

export function AgentTabs({ deployment, assistant, path, url, keyed, onNews, now }: AgentTabsProps) {
  const asked = useSearchParams().get("show");
  const chosen = TABS.find((tab) => tab.id === asked)?.id ?? "card";
  // A call has ids made by chance, which the server would make others of.
  const mounted = useMounted();
  const card = useCard(deployment, `${path}${CARD_PATH}`);
  return (
    <Tabs.Root value={chosen} onValueChange={(id) => replaceQuery({ show: String(id), task: undefined })}>
      <Tabs.List className="mb-4 flex gap-1 border-b border-line" aria-label="What to see of the agent">
        {TABS.map(({ id, title }) => (
          <Tabs.Tab
            key={id}
            value={id}
            className="-mb-px inline-flex h-10 items-center border-b-2 border-transparent px-3 font-medium text-ink-2 transition-colors hover:text-ink data-active:border-accent data-active:text-accent"
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Panel id="card">
        <CardPanel card={card} />
      </Panel>
      <Panel id="try">
        {mounted ? <TryPanel path={path} url={url} assistant={assistant} keyed={keyed} /> : <Waiting />}
      </Panel>
      <Panel id="tasks">
        <TasksPanel deployment={deployment} path={path} onNews={onNews} now={now} pushes={card.pushes} />
      </Panel>
    </Tabs.Root>
  );
}

function Panel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Tabs.Panel value={id} className="rounded-control outline-offset-4">
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    </Tabs.Panel>
  );
}

function Waiting() {
  return (
    <>
      <Loading what="this part" />
      <Skeleton className="h-80 rounded-card" />
    </>
  );
}
